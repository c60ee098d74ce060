import type { Machine } from '../../api/types.ts';
import { Chip } from '../../ui/Chip.tsx';

/** One word for what can be done with a machine now. */
export function stateWord(machine: Machine): 'Runnable' | 'Not runnable' | 'Not available' {
  if (!machine.Available) return 'Not available';
  return machine.Runnable ? 'Runnable' : 'Not runnable';
}

const TONES = { Runnable: 'ok', 'Not runnable': 'pending', 'Not available': 'warn' } as const;

export function MachineState({ machine }: { machine: Machine }) {
  const word = stateWord(machine);
  return <Chip tone={TONES[word]}>{word}</Chip>;
}
