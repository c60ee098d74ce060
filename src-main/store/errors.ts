/**
 * Why the store refused or failed.
 * - `conflict`: another commit got there first, the object exists or is missing against expectation, or a unique value is taken
 * - `validation`: the key, the value or the call itself is not acceptable
 * - `disk-full`, `io`, `read-only`: the operating system would not write
 * - `corrupt`: the file is damaged or not ours; `newer-schema`: written by a newer version of this program
 * - `closed`: the store was closed; `busy`: another process holds the file
 */
export type StoreErrorCode =
  | 'conflict'
  | 'validation'
  | 'disk-full'
  | 'io'
  | 'read-only'
  | 'corrupt'
  | 'newer-schema'
  | 'busy'
  | 'closed';

/** Which kind of conflict, and where: enough for a caller to build its own sentence. */
type ConflictDetail =
  | { readonly kind: 'exists' | 'missing'; readonly prefix: string; readonly key: string }
  | {
      readonly kind: 'revision';
      readonly prefix: string;
      readonly key: string;
      readonly expected: number;
      readonly actual: number;
    }
  | {
      readonly kind: 'unique';
      readonly prefix: string;
      readonly key: string;
      readonly index: string;
      readonly value: string;
      readonly holder: string;
    }
  | { readonly kind: 'sequence'; readonly expected: number; readonly actual: number };

/** Every failure of the store. `message` is a whole sentence and never contains a stored value. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly conflict: ConflictDetail | undefined;
  /** What was refused may be there all the same after a crash: the disk failed before it could be taken back. */
  readonly isUncertain: boolean;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; conflict?: ConflictDetail; isUncertain?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.conflict = options.conflict;
    this.isUncertain = options.isUncertain ?? false;
  }
}
