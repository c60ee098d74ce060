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

export function ChipRow({ children }: { children: ReactNode }) {
  return <span className={classes['row']}>{children}</span>;
}
