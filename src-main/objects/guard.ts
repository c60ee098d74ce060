/**
 * The decision at the door: tenant first (an invisible object does not exist), then the license, then claims. Every denial
 * says what was demanded; which wording a denied read gets follows the preference `deniedReads`.
 */
import { requiredFeature } from '../access/index.ts';
import { Problem } from '../contract/errors.ts';
import type { ModelDefinition } from '../contract/models/index.ts';
import type { Stored } from '../store/index.ts';
import type { Call, Demand, View } from './types.ts';

export interface Guard {
  /** True when the caller's tenant shows the object (claims apart). */
  visible(call: Call, definition: ModelDefinition, stored: Stored, view: View): boolean;
  /** True when license and claims allow all demands. */
  allows(call: Call, demands: readonly Demand[]): boolean;
  /**
   * Throws Problem `not-licensed` or `claim-missing` for the first demand that fails. `printed` replaces the action in the
   * sentence (a PATCH prints `patch`).
   */
  demand(call: Call, demands: readonly Demand[], printed?: string): void;
  /** To be told of an object that is there and that the tenant hides, for the audit; the caller hears that it is absent. */
  hid(call: Call, demands: readonly Demand[]): void;
  /** True when denied reads look like absent objects. */
  conceals(): boolean;
}

/** Why a request was denied; dead tokens never get as far as here (architecture.md 3). */
export type DenialReason = 'claim' | 'license' | 'tenant';

interface GuardDeps {
  readonly hasFeature: (feature: string) => boolean;
  readonly conceals: () => boolean;
  /** Told of every denial, for the audit. */
  readonly onDenied: (call: Call, demand: Demand, reason: DenialReason) => void;
}

/** Objects that belong to a machine are shown with it (wire-format.md 5.7). */
function shownWithMachine(call: Call, definition: ModelDefinition, stored: Stored, view: View): boolean {
  const { actor } = call;
  switch (definition.prefix) {
    case 'jobs':
      return actor.restricts('machines') && actor.sees('machines', String(stored.value['Machine']));
    case 'leases':
    case 'reservations': {
      if (!actor.restricts('machines')) return false;
      const address = stored.value['Addr'];
      const token = stored.value['Token'];
      for (const machine of view.entries('machines')) {
        if (!actor.sees('machines', machine.key)) continue;
        const addrs = machine.value['HardwareAddrs'];
        if (machine.value['Address'] === address || (Array.isArray(addrs) && addrs.includes(token as string)))
          return true;
      }
      return false;
    }
    default:
      return false;
  }
}

/** Identifier that claims on the object name: a job goes by its machine (wire-format.md 4.2). */
export function authKey(definition: ModelDefinition, stored: Stored): string {
  return definition.prefix === 'jobs' ? String(stored.value['Machine']) : stored.key;
}

export function createGuard(deps: GuardDeps): Guard {
  const check = (call: Call, demand: Demand): 'claim' | 'license' | undefined => {
    const feature = requiredFeature(demand.scope, demand.action);
    if (feature && !deps.hasFeature(feature)) return 'license';
    return call.actor.allows(demand.scope, demand.action, demand.specific) ? undefined : 'claim';
  };
  return {
    visible(call, definition, stored, view) {
      const { actor } = call;
      if (!actor.restricts(definition.prefix)) return true;
      if (actor.sees(definition.prefix, stored.key)) return true;
      return shownWithMachine(call, definition, stored, view);
    },
    allows: (call, demands) => demands.every((demand) => check(call, demand) === undefined),
    demand(call, demands, printed) {
      for (const demand of demands) {
        const failed = check(call, demand);
        if (!failed) continue;
        deps.onDenied(call, demand, failed);
        const { scope, shown = demand.specific } = demand;
        const action = printed ?? demand.action;
        const head = `Cannot access ${call.url}`;
        if (failed === 'license') {
          // The two blanks are part of the text that clients compare.
          throw new Problem('not-licensed', [
            head,
            `${scope} ${action} is a licensed enterprise feature.  Contact support@rackn.com`,
          ]);
        }
        throw new Problem('claim-missing', [head, `Requires: ${scope} ${action} ${shown}`]);
      }
    },
    hid(call, [demand]) {
      if (demand) deps.onDenied(call, demand, 'tenant');
    },
    conceals: deps.conceals,
  };
}
