/** The application menu. Roles are the operating system's own commands; everything else is an action of ours. */
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  readonly openDataFolder: () => void;
  readonly showWindow: () => void;
  readonly quit: () => void;
  /** Whether closing the window leaves the server running. */
  readonly keepRunning: (on: boolean) => void;
}

/** How the command is called that changes what closing the window means. */
export const KEEP_RUNNING_LABEL = 'Keep running after the window is closed';

/** `keepsRunning`: the present choice. Developer tools only in a build from source: in a release they would be a way around the fence. */
export function menuTemplate(
  platform: NodeJS.Platform,
  fromSource: boolean,
  keepsRunning: boolean,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const file: MenuItemConstructorOptions[] = [
    { id: 'open-data-folder', label: 'Open data folder', click: actions.openDataFolder },
    {
      id: 'keep-running',
      label: KEEP_RUNNING_LABEL,
      type: 'checkbox',
      checked: keepsRunning,
      click: ({ checked }) => actions.keepRunning(checked),
    },
    separator,
    { role: 'close' },
    ...(platform === 'darwin' ? [] : [{ id: 'quit', label: 'Quit', accelerator: 'Ctrl+Q', click: actions.quit }]),
  ];
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    ...(fromSource ? [separator, { role: 'toggleDevTools' as const }] : []),
  ];
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    { label: 'File', submenu: file },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ role: 'about' }] },
  ];
}

export function trayTemplate(actions: Pick<MenuActions, 'showWindow' | 'quit'>): MenuItemConstructorOptions[] {
  return [
    { id: 'show', label: 'Open Proviso', click: actions.showWindow },
    { type: 'separator' },
    { id: 'quit', label: 'Quit', click: actions.quit },
  ];
}
