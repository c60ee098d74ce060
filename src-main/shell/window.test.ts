import type { BrowserWindow } from 'electron';
import { expect, test } from 'vitest';
import { askAboutUnsaved, isReachable, UNSAVED_QUESTION, windowOptions } from './window.ts';

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

function unload(answer: number, quitting = false) {
  const listeners = new Map<string, (event: { preventDefault(): void }) => void>();
  const log: string[] = [];
  const window = {
    webContents: {
      on: (name: string, listener: (event: { preventDefault(): void }) => void) => listeners.set(name, listener),
    },
    show: () => log.push('show'),
  } as unknown as BrowserWindow;
  askAboutUnsaved(window, {
    dialog: {
      showMessageBox: () => Promise.reject(new Error('cannot be awaited here')),
      showMessageBoxSync: () => {
        log.push('ask');
        return answer;
      },
    },
    quitting: () => quitting,
    onKept: () => log.push('kept'),
  });
  listeners.get('will-prevent-unload')?.({ preventDefault: () => log.push('let go') });
  return log;
}

test('a page with unsaved changes is let go only when the user discards them', () => {
  expect(unload(UNSAVED_QUESTION.buttons.indexOf('Discard'))).toEqual(['show', 'ask', 'let go']);
  expect(unload(UNSAVED_QUESTION.buttons.indexOf('Keep editing'))).toEqual(['show', 'ask', 'kept']);
  expect(UNSAVED_QUESTION.buttons[UNSAVED_QUESTION.cancelId]).toBe('Keep editing');
});

test('an app that is ending asks nothing', () => {
  expect(unload(0, true)).toEqual(['let go']);
});
