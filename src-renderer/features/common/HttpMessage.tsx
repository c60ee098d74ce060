import { type ReactNode, useId } from 'react';
import { verbatim } from '../../ui/verbatim.ts';
import classes from './HttpMessage.module.css';

interface HttpMessageProps {
  readonly title: string;
  /** `POST https://...` or `Status 200`. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: there is none. */
  readonly body: string;
  /** Said below the body. */
  readonly note?: string;
  readonly action?: ReactNode;
}

/** A request or an answer as it goes over the wire: first line, headers, body. */
export function HttpMessage({ title, line, headers, body, note, action }: HttpMessageProps) {
  const id = useId();
  const names = Object.entries(headers);
  return (
    <section className={classes['message']} aria-labelledby={id}>
      <div className={classes['head']}>
        <h4 id={id}>{title}</h4>
        {action}
      </div>
      <p className={classes['line']}>
        <code>{verbatim(line)}</code>
      </p>
      {names.length === 0 ? null : (
        <dl className={classes['headers']}>
          {names.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{verbatim(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {body === '' ? (
        <p className="hint">No body</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
          <pre tabIndex={0}>{verbatim(body)}</pre>
          {note ? <p className="hint">{note}</p> : null}
        </>
      )}
    </section>
  );
}
