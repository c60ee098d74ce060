import { expect, test } from 'vitest';
import { isReachable, windowOptions } from './window.ts';

const workArea = { x: 0, y: 0, width: 1920, height: 1040 };
const place = { x: 100, y: 100, width: 1280, height: 800, maximized: false };

test('the page gets no Node, no shared world and no webview', () => {
  expect(windowOptions(undefined, false).webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('a remembered place is used while it can be reached', () => {
  expect(isReachable(place, workArea)).toBe(true);
  expect(isReachable({ ...place, x: -1240 }, workArea)).toBe(false);
  expect(isReachable({ ...place, x: 1900 }, workArea)).toBe(false);
  expect(isReachable({ ...place, y: 1030 }, workArea)).toBe(false);
  expect(isReachable({ ...place, y: -500 }, workArea)).toBe(false);
  expect(windowOptions(place, true)).toMatchObject({ x: 100, y: 100, width: 1280, height: 800 });
});
