import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Log } from './kit/log.ts';
import { openLog } from './log-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proviso-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function written(write: (log: Log) => void): Promise<string> {
  const { log, close } = openLog(dir);
  write(log);
  await close();
  return readFileSync(join(dir, 'proviso.log'), 'utf8');
}

it.each(['err', 'error'])('writes what went wrong and where, under the name %s', async (name) => {
  const text = await written((log) => log.error({ requestId: 'r', [name]: new Error('the reason') }, 'request failed'));
  expect(text).toContain('the reason');
  expect(text).toContain('log-file.test.ts');
});

it('writes no value under a secret name', async () => {
  const text = await written((log) => log.info({ sent: { Password: 'hush', token: 'hush' } }, 'sent'));
  expect(text).toContain('"Password":"***"');
  expect(text).not.toContain('hush');
});

// A process of its own: the end of the process is where it used to hang.
it.runIf(existsSync('/dev/full'))('lets a process end whose disk takes nothing', () => {
  symlinkSync('/dev/full', join(dir, 'proviso.log'));
  const script = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log-file.ts'))};
    const { log, close } = openLog(${JSON.stringify(dir)});
    log.info('a line');
    setTimeout(() => close().then(() => process.exit(0)), 50);
  `;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 15_000 });
  expect({ status: ended.status, signal: ended.signal, said: ended.stderr.toString() }).toEqual({
    status: 0,
    signal: null,
    said: '',
  });
});
