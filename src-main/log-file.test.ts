import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Log } from './kit/log.ts';
import { openLog } from './log-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'proviso-log-'));
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
