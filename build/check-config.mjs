// Offline check of the packaging configuration: the schema, the fuses we promise, and the files it names.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const require = createRequire(import.meta.url);
// Internal path of electron-builder: its version is pinned, and a move shows here as a failing check.
const { validateConfiguration } = require('app-builder-lib/out/util/config/config.js');
const { DebugLogger } = require('builder-util');

/** What a released Proviso must not allow (docs/architecture.md); a change here is a security decision. */
export const WANTED_FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

const root = fileURLToPath(new URL('..', import.meta.url));
const file = process.argv[2] ?? join(root, 'build/electron-builder.yml');
const config = parse(readFileSync(file, 'utf8'));
const installed = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')).version;

const problems = [];
const { $schema, ...checked } = config;
try {
  await validateConfiguration(checked, new DebugLogger(false));
} catch (error) {
  problems.push(error.message);
}
for (const [fuse, wanted] of Object.entries(WANTED_FUSES)) {
  const set = config.electronFuses?.[fuse];
  if (set !== wanted) problems.push(`electronFuses.${fuse} is ${set}, it has to be ${wanted}`);
}
if (config.electronVersion !== installed) {
  problems.push(`electronVersion is ${config.electronVersion}, installed is ${installed}`);
}
if ($schema === undefined || !existsSync(join(root, 'build', $schema))) problems.push('$schema names no file');
for (const icon of [config.linux?.icon, config.mac?.icon, config.win?.icon]) {
  if (icon !== undefined && !existsSync(join(root, icon))) problems.push(`icon ${icon} does not exist`);
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`ok, ${Object.keys(WANTED_FUSES).length} fuses as wanted\n`);
}
