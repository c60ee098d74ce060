// Finds the Electron binary and a display without ever loading the electron package: with no binary that starts a download.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const usual = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' };

/** @returns {string | undefined} path of a real Electron binary, if this machine has one */
export function findElectron() {
  const folder = fileURLToPath(new URL('../node_modules/electron', import.meta.url));
  const noted = join(folder, 'path.txt');
  const name = existsSync(noted) ? readFileSync(noted, 'utf8').trim() : (usual[process.platform] ?? 'electron');
  return [process.env.ELECTRON_OVERRIDE_DIST_PATH, join(folder, 'dist')]
    .filter((dist) => dist !== undefined && dist !== '')
    .map((dist) => join(dist, name))
    .find((path) => existsSync(path));
}

/** True where a window can be shown: always on Windows and macOS, with X11 or Wayland elsewhere. */
export function hasDisplay() {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
