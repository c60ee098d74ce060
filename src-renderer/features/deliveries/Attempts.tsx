import type { Attempt, RecordedBody } from '../../../src-main/contract/deliveries.ts';
import type { ResponseMode } from '../../api/callbacks.ts';
import { curlOfRequest, type Phase, phasesOf, showBody } from '../../api/deliveries.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Disclosure, DisclosureList } from '../../ui/Disclosure.tsx';
import { localTime, milliseconds } from '../../ui/time.ts';
import { HttpMessage } from '../common/HttpMessage.tsx';
import classes from './Attempts.module.css';
import { StateChip } from './DeliveryState.tsx';

/** How `callbackDo` hands the answer on; the record keeps what came over the wire. */
const MODES: Readonly<Record<ResponseMode, string>> = {
  base64:
    'Shown as received. callbackDo hands it on as a Base64 text (the default): strip the double quotes around it, then decode.',
  json: 'Shown as received; callbackDo hands it on as JSON (JsonResponse).',
  string: 'Shown as received; callbackDo hands it on as a JSON string (StringResponse).',
};

interface AttemptsProps {
  readonly attempts: readonly Attempt[];
  /** Undefined when the configuration of the callback cannot be read. */
  readonly mode: ResponseMode | undefined;
}

/** The attempts in their order; the latest is open. */
export function Attempts({ attempts, mode }: AttemptsProps) {
  return (
    <DisclosureList>
      {attempts.map((attempt, index) => (
        <li key={attempt.Attempt}>
          <Disclosure
            open={index === attempts.length - 1}
            summary={
              <>
                <b>Attempt {attempt.Attempt}</b>
                <StateChip state={attempt.State} />
                <span>{attempt.Status === 0 ? '' : `Status ${attempt.Status}`}</span>
                <time dateTime={attempt.Time} title={attempt.Time}>
                  {localTime(attempt.Time)}
                </time>
                <span className={classes['total']}>{attempt.Timing ? milliseconds(attempt.Timing.Total) : ''}</span>
              </>
            }
          >
            <AttemptDetail attempt={attempt} mode={mode} />
          </Disclosure>
        </li>
      ))}
    </DisclosureList>
  );
}

function AttemptDetail({ attempt, mode }: { attempt: Attempt; mode: ResponseMode | undefined }) {
  const { Request: request, Response: response } = attempt;
  return (
    <>
      {attempt.Error === '' ? null : <p className={classes['error']}>{attempt.Error}</p>}
      {attempt.Timing ? <Timeline phases={phasesOf(attempt.Timing)} total={attempt.Timing.Total} /> : null}
      {attempt.Auth === '' ? null : (
        <p className="hint">
          Signed in with <code>{attempt.Auth}</code>
        </p>
      )}
      {request ? (
        <HttpMessage
          title="Request"
          line={`${request.Method} ${request.Url}`}
          headers={request.Headers}
          {...shown(request)}
          action={<CopyButton text={curlOfRequest(request)} label="Copy as curl" />}
        />
      ) : (
        <p className="hint">
          {attempt.State === 'sending'
            ? 'Under way: the request is recorded when it ends.'
            : 'The request was not kept.'}
        </p>
      )}
      {response ? (
        <HttpMessage
          title="Response"
          line={`Status ${response.Status}`}
          headers={response.Headers}
          {...shown(response, mode && MODES[mode])}
        />
      ) : attempt.State === 'failed' && attempt.Status === 0 ? (
        <p className="hint">No answer came.</p>
      ) : null}
    </>
  );
}

/** A bar as long as the attempt, in its parts; the same as text, since widths and colours alone say nothing. */
function Timeline({ phases, total }: { phases: readonly Phase[]; total: number }) {
  if (total <= 0) return null;
  return (
    <div className={classes['timeline']}>
      <div className={classes['bar']} aria-hidden>
        {phases.map(({ name, ms }) => (
          <i key={name} data-phase={name} style={{ flexGrow: ms / total }} />
        ))}
      </div>
      <ul>
        {phases.map(({ name, ms }) => (
          <li key={name}>
            <i data-phase={name} aria-hidden />
            {name} {milliseconds(ms)}
          </li>
        ))}
        <li>
          <b>Total {milliseconds(total)}</b>
        </li>
      </ul>
    </div>
  );
}

/** A recorded body and what there is to know about it. */
function shown(body: RecordedBody, note = ''): { body: string; note: string } {
  if (body.Bytes === 0) return { body: '', note };
  const { text, cut } = showBody(body);
  const kept = cut ? ', of which the record keeps the beginning' : '';
  return { body: text, note: `${body.Bytes.toLocaleString()} bytes${kept}; secrets are masked. ${note}` };
}
