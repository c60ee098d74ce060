import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Disclosure.module.css';

interface DisclosureProps {
  /** One line, always shown. */
  readonly summary: ReactNode;
  /** Open when it appears. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A row that opens. The browser's own element: keyboard, find in page and screen readers know it. */
export function Disclosure({ summary, open, children }: DisclosureProps) {
  return (
    <details open={open} className={classes['box']}>
      <summary>
        <IconChevronRight size={15} aria-hidden className={classes['chevron']} />
        {summary}
      </summary>
      <div className={classes['detail']}>{children}</div>
    </details>
  );
}

/** Several of them, as a list. */
export function DisclosureList({ children }: { children: ReactNode }) {
  return <ol className={classes['list']}>{children}</ol>;
}
