import type { Rendered } from '../../api/callbacks.ts';
import { curlOfRequest, showBody } from '../../api/deliveries.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { HttpMessage } from './HttpMessage.tsx';
import classes from './RunCallbackDialog.module.css';

/** What would go over the wire. Secrets are masked by the server. */
export function DryRun({ rendered }: { rendered: Rendered }) {
  const { Method, Url, Headers, Body, Auths, Egress } = rendered;
  const bytes = Body === null ? 0 : new TextEncoder().encode(Body).length;
  const recorded = { Method, Url, Headers, Body: Body ?? '', Bytes: bytes };
  return (
    <section className={classes['dry']} aria-label="Dry run" aria-live="polite" data-testid="dry-run">
      {Egress === '' ? null : (
        <Notice content={{ title: 'The egress rules refuse this address', lines: [Egress] }} tone="warn" />
      )}
      <HttpMessage
        title="Would be sent"
        line={`${Method} ${Url}`}
        headers={Headers}
        body={bytes === 0 ? '' : showBody(recorded).text}
        note={`${bytes.toLocaleString()} bytes; secrets are masked.`}
        action={<CopyButton text={curlOfRequest(recorded)} label="Copy as curl" />}
      />
      <p className="hint">
        {Auths.length === 0
          ? 'No auth method. '
          : `Auth: ${Auths.join(', then ')}${Auths.length > 1 ? ', when the one before is refused' : ''}. `}
        <b>Nothing was sent</b>, and no token was fetched.
      </p>
    </section>
  );
}
