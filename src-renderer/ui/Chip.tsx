import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconLock,
  IconPencil,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import classes from './Chip.module.css';

export type Tone = 'plain' | 'ok' | 'warn' | 'danger' | 'pending' | 'locked' | 'draft';

const ICONS: { readonly [T in Exclude<Tone, 'plain'>]: ComponentType<IconProps> } = {
  ok: IconCircleCheck,
  warn: IconAlertTriangle,
  danger: IconCircleX,
  pending: IconClock,
  locked: IconLock,
  draft: IconPencil,
};

/** A short state or name. A state always has an icon and a word: colour alone says nothing. */
export function Chip({ tone = 'plain', mono, children }: { tone?: Tone; mono?: boolean; children: ReactNode }) {
  const Icon = tone === 'plain' ? undefined : ICONS[tone];
  return (
    <span className={classes['chip']} data-tone={tone} data-mono={mono || undefined}>
      {Icon ? <Icon size={13} stroke={2} aria-hidden /> : null}
      <span className={classes['text']}>{children}</span>
    </span>
  );
}

/** How many names stand side by side before the rest becomes a number. */
const SHOWN = 2;

/** Names in one line of a table; all of them are the tooltip. */
export function ChipRow({ names }: { names: readonly string[] }) {
  const shown = names.length > SHOWN + 1 ? names.slice(0, SHOWN) : names;
  return (
    <span className={classes['row']} title={names.join(', ')}>
      {shown.map((name) => (
        <Chip key={name}>{name}</Chip>
      ))}
      {shown.length < names.length ? (
        <span className={`${classes['chip']} ${classes['more']}`}>+{names.length - shown.length}</span>
      ) : null}
    </span>
  );
}

/** Any number of chips, over as many lines as they need. */
export function Chips({ children }: { children: ReactNode }) {
  return <span className={classes['chips']}>{children}</span>;
}
