/** The desktop's own arguments among those of Chromium: `--data DIR` and `--port N`, also as `--name=value`. */
import { resolve } from 'node:path';

export interface DesktopArguments {
  /** Absolute path, or undefined for the usual place. */
  readonly dataDir: string | undefined;
  /** undefined: the usual port, any free one if taken. 0: any free one. */
  readonly port: number | undefined;
}

/**
 * Reads `argv` without the executable. Unknown switches belong to Chromium and are left alone.
 * Throws an Error with one sentence when a value is missing or no port.
 */
export function readDesktopArguments(argv: readonly string[], cwd: string): DesktopArguments {
  const data = readValue(argv, 'data');
  const port = readValue(argv, 'port');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new Error(`--port takes a number from 0 to 65535, not "${port}".`);
  }
  return {
    dataDir: data === undefined ? undefined : resolve(cwd, data),
    port: port === undefined ? undefined : Number(port),
  };
}

function readValue(argv: readonly string[], name: string): string | undefined {
  const at = argv.findLastIndex((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`));
  if (at < 0) return undefined;
  const argument = argv[at] ?? '';
  const value = argument.includes('=') ? argument.slice(argument.indexOf('=') + 1) : argv[at + 1];
  if (value === undefined || value === '' || (!argument.includes('=') && value.startsWith('--'))) {
    throw new Error(`--${name} needs a value.`);
  }
  return value;
}
