/** `node --import e2e/standin/register.ts out/main/index.js`: `electron` becomes the stand-in, the process looks like Electron's. */
import { registerHooks } from 'node:module';

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: standIn, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
const electron = process.env['STANDIN_ELECTRON_VERSION'] ?? '';
Object.defineProperty(process, 'type', { value: 'browser' });
Object.defineProperty(process, 'versions', { value: Object.freeze({ ...process.versions, electron }) });
