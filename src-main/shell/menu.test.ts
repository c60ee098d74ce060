import type { KeyboardEvent, MenuItem, MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import { menuTemplate } from './menu.ts';

const actions = { openDataFolder: vi.fn(), showWindow: vi.fn(), quit: vi.fn(), keepRunning: vi.fn() };
const flat = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
const roles = (platform: NodeJS.Platform, fromSource: boolean) =>
  flat(menuTemplate(platform, fromSource, false, actions)).map(({ role }) => role);

test('a release offers no developer tools', () => {
  expect(roles('linux', true)).toContain('toggleDevTools');
  expect(roles('linux', false)).not.toContain('toggleDevTools');
  expect(roles('linux', false)).not.toContain('viewMenu');
});

test('quit is in the file menu, on macOS in the application menu', () => {
  const quit = (platform: NodeJS.Platform) =>
    flat(menuTemplate(platform, false, false, actions)).filter(({ id }) => id === 'quit').length;
  expect([quit('linux'), quit('win32'), quit('darwin')]).toEqual([1, 1, 0]);
  expect(roles('darwin', false)).toContain('appMenu');
});

test.each([true, false])('what closing the window means can be changed, now %s', (now) => {
  const item = flat(menuTemplate('linux', false, now, actions)).find(({ id }) => id === 'keep-running');
  expect(item).toMatchObject({ type: 'checkbox', checked: now });
  item?.click?.({ checked: !now } as MenuItem, undefined, {} as KeyboardEvent);
  expect(actions.keepRunning).toHaveBeenLastCalledWith(!now);
});
