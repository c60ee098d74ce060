/**
 * One way into the store for everybody in the product: runs a unit of work, waits for the disk, and names the object the
 * commit is about, so that the event stream can tell an asked-for `update` from a `save` that came with it.
 */
import { Problem } from '../contract/errors.ts';
import { newUuid } from '../kit/ids.ts';
import { type Commit, type Store, StoreError } from '../store/index.ts';
import type { Call, Unit } from './types.ts';
import { createUnit, type UnitDeps } from './unit.ts';

export interface CommitOrigin {
  readonly actor: string;
  readonly requestId: string;
}

/** A change as made by the caller, under the id of the request. */
export const originOf = (call: Call): CommitOrigin => ({ actor: call.actor.name, requestId: call.requestId });

export interface Committer {
  /**
   * Runs `work` in a transaction; resolves once durable. `subject` is `prefix/key` of the object asked for; undefined means
   * that every object written was asked for.
   * Throws what `work` throws; a Problem `storage-failed` or `conflict` when the store refuses.
   */
  commit<R>(origin: CommitOrigin, subject: string | (() => string) | undefined, work: (unit: Unit) => R): Promise<R>;
  /** The same for the product's own housekeeping: all objects count as saved along the way. */
  internal<R>(actor: string, work: (unit: Unit) => R): Promise<R>;
  subjectOf(commit: Commit): string | undefined;
}

/** A store refusal in words of the catalogue. Nothing was changed, unless the message says that this is not certain. */
export function storeProblem(error: StoreError): Problem {
  if (error.code === 'conflict') return new Problem('conflict', error.message, { cause: error });
  if (error.code === 'closed') return new Problem('service-unavailable', 'The service is stopping', { cause: error });
  return new Problem('storage-failed', error.message, { cause: error });
}

const HOUSEKEEPING = '';

export function createCommitter(store: Store, deps: UnitDeps): Committer {
  const subjects = new Map<string, string | (() => string)>();
  const run = async <R>(
    origin: CommitOrigin,
    subject: string | (() => string) | undefined,
    work: (unit: Unit) => R,
  ): Promise<R> => {
    // The commits of one request come one after the other.
    if (subject !== undefined) subjects.set(origin.requestId, subject);
    try {
      const { result } = await store.transact(origin, (tx) => work(createUnit(tx, deps)));
      return result;
    } catch (error) {
      throw error instanceof StoreError ? storeProblem(error) : error;
    } finally {
      subjects.delete(origin.requestId);
    }
  };
  return {
    commit: run,
    internal: (actor, work) => run({ actor, requestId: newUuid() }, HOUSEKEEPING, work),
    subjectOf(commit) {
      const subject = subjects.get(commit.requestId);
      return typeof subject === 'function' ? subject() : subject;
    },
  };
}
