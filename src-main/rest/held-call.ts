/** The call of somebody who listens for long: its rights follow what changes meanwhile. */
import type { Access } from '../access/index.ts';
import type { Call } from '../objects/index.ts';

/** How long a token that expires meanwhile may go unnoticed. */
const RECHECK_MS = 1_000;

export interface HeldCall {
  /** As of the last renewal. */
  readonly call: Call;
  /** Brings the rights up to date when they changed or a second went by; false once the token is dead. */
  renewed(): boolean;
}

interface HoldingDeps {
  readonly access: Pick<Access, 'renew'>;
  /** Changes with whatever rights rest on. */
  readonly generation: () => number;
  /** ms. */
  readonly clock: () => number;
}

export function holdCall(first: Call, { access, generation, clock }: HoldingDeps): HeldCall {
  let call = first;
  let checked = { generation: generation(), at: clock() };
  let dead = false;
  return {
    get call() {
      return call;
    },
    renewed() {
      if (dead) return false;
      const now = { generation: generation(), at: clock() };
      if (now.generation === checked.generation && now.at - checked.at < RECHECK_MS) return true;
      checked = now;
      try {
        const actor = access.renew(call.actor);
        if (actor !== call.actor) call = { ...call, actor };
      } catch {
        dead = true;
      }
      return !dead;
    },
  };
}
