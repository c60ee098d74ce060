import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { ResponseMode } from '../../api/callbacks.ts';
import { curlOfRequest, type Phase, phasesOf, showBody } from '../../api/deliveries.ts';
import type { Attempt, RecordedBody } from '../../api/delivery-record.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { localTime, milliseconds } from '../../ui/time.ts';
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
    <ol className={classes['attempts']}>
      {attempts.map((attempt, index) => (
        <li key={attempt.Attempt}>
          <details open={index === attempts.length - 1}>
            <summary>
              <IconChevronRight size={15} aria-hidden className={classes['chevron']} />
              <b>Attempt {attempt.Attempt}</b>
              <StateChip state={attempt.State} />
              <span>{attempt.Status === 0 ? '' : `Status ${attempt.Status}`}</span>
              <time dateTime={attempt.Time} title={attempt.Time}>
                {localTime(attempt.Time)}
              </time>
              <span className={classes['total']}>{attempt.Timing ? milliseconds(attempt.Timing.Total) : ''}</span>
            </summary>
            <AttemptDetail attempt={attempt} mode={mode} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function AttemptDetail({ attempt, mode }: { attempt: Attempt; mode: ResponseMode | undefined }) {
  const { Request: request, Response: response } = attempt;
  return (
    <div className={classes['detail']}>
      {attempt.Error === '' ? null : <p className={classes['error']}>{attempt.Error}</p>}
      {attempt.Timing ? <Timeline phases={phasesOf(attempt.Timing)} total={attempt.Timing.Total} /> : null}
      {attempt.Auth === '' ? null : (
        <p className="hint">
          Signed in with <code>{attempt.Auth}</code>
        </p>
      )}
      {request ? (
        <Message
          title="Request"
          line={`${request.Method} ${request.Url}`}
          headers={request.Headers}
          body={request}
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
        <Message
          title="Response"
          line={`Status ${response.Status}`}
          headers={response.Headers}
          body={response}
          note={mode ? MODES[mode] : undefined}
        />
      ) : attempt.State === 'failed' && attempt.Status === 0 ? (
        <p className="hint">No answer came.</p>
      ) : null}
    </div>
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

interface MessageProps {
  readonly title: string;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RecordedBody;
  readonly note?: string | undefined;
  readonly action?: React.ReactNode;
}

function Message({ title, line, headers, body, note, action }: MessageProps) {
  const id = useId();
  const shown = showBody(body);
  const names = Object.entries(headers);
  return (
    <section className={classes['message']} aria-labelledby={id}>
      <div className={classes['messageHead']}>
        <h4 id={id}>{title}</h4>
        {action}
      </div>
      <p className={classes['line']}>
        <code>{line}</code>
      </p>
      {names.length === 0 ? null : (
        <dl className={classes['headers']}>
          {names.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {body.Bytes === 0 ? (
        <p className="hint">No body</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
          <pre tabIndex={0}>{shown.text}</pre>
          <p className="hint">
            {body.Bytes.toLocaleString()} bytes{shown.cut ? ', of which the record keeps the beginning' : ''}; secrets
            are masked. {note ?? ''}
          </p>
        </>
      )}
    </section>
  );
}
