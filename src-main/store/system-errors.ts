import { StoreError, type StoreErrorCode } from './errors.ts';

const CODES: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  ENOSPC: ['disk-full', 'the disk is full. Free some space and try again'],
  EDQUOT: ['disk-full', 'the disk quota is used up. Free some space and try again'],
  EFBIG: ['disk-full', 'the file may not grow further. Raise the file size limit or free some space'],
  EACCES: ['read-only', 'this user may not write there. Change the permissions or choose another directory'],
  EPERM: ['read-only', 'this user may not write there. Change the permissions or choose another directory'],
  EROFS: ['read-only', 'the file system is mounted read-only. Choose another directory'],
  ENOENT: ['io', 'it does not exist'],
  ENOTDIR: ['io', 'a part of the path is a file, not a directory'],
  EIO: ['io', 'the disk reported an error. Check it, and restore a backup if need be'],
};

/** A failed system call as a `StoreError`: `what` is the start of the sentence, without a full stop. */
export function fromSystemError(cause: unknown, what: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const systemCode = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const [code, why] = CODES[systemCode] ?? ['io', cause instanceof Error ? cause.message : String(cause)];
  return new StoreError(code, `${what}: ${why}.`, { cause });
}
