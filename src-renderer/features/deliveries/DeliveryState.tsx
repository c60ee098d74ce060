import type { AttemptState, DeliveryState } from '../../../src-main/contract/deliveries.ts';
import { Chip, type Tone } from '../../ui/Chip.tsx';

const TONES: Readonly<Record<DeliveryState | AttemptState, Tone>> = {
  waiting: 'pending',
  sending: 'pending',
  held: 'warn',
  ok: 'ok',
  failed: 'danger',
  cancelled: 'plain',
  interrupted: 'warn',
};

export function StateChip({ state }: { state: DeliveryState | AttemptState }) {
  return <Chip tone={TONES[state]}>{state}</Chip>;
}
