import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
  IconLock,
  type IconProps,
  IconTerminal2,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { CopyIcon } from './CopyButton.tsx';
import classes from './Notice.module.css';

export type NoticeTone = 'ok' | 'info' | 'warn' | 'danger' | 'locked';

/** What went wrong, ready to show. Built by `api/notice.ts` from an error; this room knows no requests. */
export interface NoticeContent {
  readonly title: string;
  readonly lines: readonly string[];
  readonly hint?: string | undefined;
  readonly requestId?: string | undefined;
  /** The request as a line to copy. */
  readonly curl?: string | undefined;
}

const ICONS: { readonly [T in NoticeTone]: ComponentType<IconProps> } = {
  ok: IconCircleCheck,
  info: IconInfoCircle,
  warn: IconAlertTriangle,
  danger: IconCircleX,
  locked: IconLock,
};

interface NoticeProps {
  readonly tone?: NoticeTone;
  readonly content: NoticeContent;
  /** `alert` is read out at once; keep it for something the user just did. */
  readonly announce?: boolean;
  readonly children?: ReactNode;
}

/** An inline notice: at the place that caused it, never only a toast. */
export function Notice({ tone = 'danger', content, announce, children }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classes['notice']} data-tone={tone} role={announce ? 'alert' : undefined}>
      <Icon size={18} stroke={1.8} aria-hidden className={classes['icon']} />
      <div className={classes['body']}>
        <p className={classes['title']}>{content.title}</p>
        {content.lines.length === 1 ? <p className={classes['line']}>{content.lines[0]}</p> : null}
        {content.lines.length > 1 ? (
          <ul className={classes['lines']}>
            {content.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        ) : null}
        {content.hint ? <p className={classes['hint']}>{content.hint}</p> : null}
        {content.requestId ? (
          <p className={classes['hint']}>
            Request <code>{content.requestId}</code>
          </p>
        ) : null}
        {children ? <div className={classes['actions']}>{children}</div> : null}
      </div>
      {content.curl ? <CopyCurl text={content.curl} /> : null}
    </div>
  );
}

/** Copies a request as curl; the token in it is always the variable `$RS_TOKEN`. */
export function CopyCurl({ text, label = 'Copy as curl' }: { text: string; label?: string }) {
  return <CopyIcon text={text} label={label} icon={IconTerminal2} />;
}
