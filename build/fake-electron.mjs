// Makes an imitation of an Electron distribution, so that a packaging dry run needs no network. It cannot be executed.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FUSES = 9; // slots in the fuse schema of @electron/fuses 2.1
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'; // where the fuse tools look for the slots
const FILLERS = [
  'chrome-sandbox',
  'chrome_crashpad_handler',
  'LICENSE',
  'LICENSES.chromium.html',
  'resources.pak',
  'icudtl.dat',
  'v8_context_snapshot.bin',
  'snapshot_blob.bin',
  'locales/en-US.pak',
];

/**
 * @param {string} folder created when missing
 * @param {string} version what the distribution says it is
 */
export function makeFakeElectron(folder, version) {
  for (const part of ['resources', 'locales']) mkdirSync(join(folder, part), { recursive: true });
  const slots = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, FUSES]), Buffer.from('0'.repeat(FUSES))]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 1\n'), slots]));
  chmodSync(join(folder, 'electron'), 0o755);
  for (const name of FILLERS) writeFileSync(join(folder, name), name);
  writeFileSync(join(folder, 'version'), version);
}
