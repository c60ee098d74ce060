export function withLock<T>(
  path: string,
  work: (setWorker: (pid: number | undefined) => void) => Promise<T>,
  onWait: (holder: number) => void,
): Promise<T>;
