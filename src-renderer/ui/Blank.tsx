import { Skeleton } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import classes from './Blank.module.css';

interface BlankProps {
  readonly icon: ComponentType<IconProps>;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** A screen or list with nothing to show, and what to do about it. */
export function Blank({ icon: Icon, title, children, actions }: BlankProps) {
  return (
    <div className={classes['blank']}>
      <Icon size={30} stroke={1.4} aria-hidden className={classes['icon']} />
      <p className={classes['title']}>{title}</p>
      {children ? <div className={classes['text']}>{children}</div> : null}
      {actions ? <div className={classes['actions']}>{actions}</div> : null}
    </div>
  );
}

/** Nothing under 150 ms, then the outline of the real layout, after 3 s a text of what is awaited. */
export function Loading({ what, rows = 8 }: { what: string; rows?: number }) {
  const [stage, setStage] = useState<'quiet' | 'outline' | 'slow'>('quiet');
  useEffect(() => {
    const outline = setTimeout(() => setStage('outline'), 150);
    const slow = setTimeout(() => setStage('slow'), 3000);
    return () => {
      clearTimeout(outline);
      clearTimeout(slow);
    };
  }, []);
  return (
    <div className={classes['loading']} aria-busy="true">
      {stage === 'quiet' ? null : (
        <>
          {Array.from({ length: rows }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars
            <Skeleton key={i} height={14} width={`${88 - ((i * 17) % 40)}%`} />
          ))}
          <p role="status">{stage === 'slow' ? `Still waiting for ${what}` : ''}</p>
        </>
      )}
    </div>
  );
}
