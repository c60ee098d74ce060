/** Why the program could not start: one sentence for people, and what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

const SENTENCES: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ['may not be written by this user', 'Give this user the right to write there, or choose another directory.'],
  EPERM: ['may not be written by this user', 'Give this user the right to write there, or choose another directory.'],
  EROFS: ['is on a read-only file system', 'Choose a directory on a writable file system.'],
  ENOENT: ['cannot be made there', 'Choose a directory on a file system that takes files.'],
  ENOSPC: ['is on a full disk', 'Free some space, then start again.'],
  EDQUOT: ['is over its disk quota', 'Free some space, then start again.'],
  ENOTDIR: ['is not a directory', 'Choose a directory.'],
  EEXIST: ['is not a directory', 'Choose a directory.'],
  ENAMETOOLONG: ['has too long a name', 'Choose a shorter path.'],
};

/** Turns a file system error on the data directory, or on what `subject` names, into a sentence. */
export function dataDirectoryError(dir: string, error: unknown, subject = `The data directory ${dir}`): StartError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  const [what, hint] = SENTENCES[code] ?? [
    `cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    'Check the path.',
  ];
  return new StartError(`${subject} ${what}.`, hint, error);
}
