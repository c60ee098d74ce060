/** The main-process side of the desktop bridge: who may ask, what arguments must look like, and what each method does. */
import { open, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { App, BrowserWindow, Dialog, FileFilter, IpcMain, NativeTheme, Notification, Shell } from 'electron';
import { BRIDGE_CHANNELS, type DesktopBridge } from '../contract/desktop-bridge.ts';
import { type BridgeAnswer, channelOf } from './channel.ts';
import type { Refusal } from './guards.ts';
import type { SessionKeeper } from './key-store.ts';
import { mayUseBridge } from './own-origin.ts';
import { isCloseChoice, isTheme, type SettingsFile } from './settings.ts';

export interface BridgeParts {
  readonly app: Pick<App, 'getVersion' | 'getPath'>;
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  readonly shell: Pick<Shell, 'openPath'>;
  readonly nativeTheme: Pick<NativeTheme, 'themeSource'>;
  readonly Notification: typeof Notification;
  readonly window: () => BrowserWindow | undefined;
  readonly dataDir: string;
  readonly settings: SettingsFile;
  readonly sessions: SessionKeeper;
  readonly closeChoiceChanged: () => void;
}

const MAX_FILE_CHARACTERS = 64 * 1024 * 1024;
const MAX_TOKEN_CHARACTERS = 16 * 1024;

/** What the file dialog says and offers for each purpose. */
const CHOOSE: Record<Parameters<DesktopBridge['chooseFile']>[0], { title: string; filters: FileFilter[] }> = {
  license: { title: 'Choose a license file', filters: [{ name: 'License', extensions: ['json', 'license'] }] },
  content: { title: 'Choose a content package', filters: [{ name: 'Content', extensions: ['json', 'yaml', 'yml'] }] },
  'upgrade-package': {
    title: 'Choose an upgrade package',
    filters: [{ name: 'Package', extensions: ['zip', 'gz', 'tgz', 'AppImage', 'deb', 'exe', 'dmg'] }],
  },
  certificate: { title: 'Choose a certificate', filters: [{ name: 'Certificate', extensions: ['pem', 'crt', 'cer'] }] },
};

type Handlers = { [M in keyof DesktopBridge]: (...args: unknown[]) => ReturnType<DesktopBridge[M]> };

/** The methods themselves. Arguments come from a page and are checked here, whatever the types promise. */
export function bridgeHandlers(parts: BridgeParts): Handlers {
  const { app, dialog, shell, nativeTheme, settings, sessions } = parts;
  return {
    about: async () => ({
      platform: `${process.platform} ${process.arch}`,
      version: app.getVersion(),
      electron: process.versions.electron ?? '',
      node: process.versions.node,
    }),
    openDataFolder: async () => {
      const problem = await shell.openPath(parts.dataDir);
      if (problem !== '') throw new Error(`The data folder ${parts.dataDir} could not be opened: ${problem}`);
    },
    chooseFile: async (purpose) => {
      if (typeof purpose !== 'string' || !Object.hasOwn(CHOOSE, purpose)) throw invalid('purpose');
      const { title, filters } = CHOOSE[purpose as keyof typeof CHOOSE];
      const all = { name: 'All files', extensions: ['*'] };
      const options = { title, properties: ['openFile' as const], filters: [...filters, all] };
      const window = parts.window();
      const { canceled, filePaths } = await (window
        ? dialog.showOpenDialog(window, options)
        : dialog.showOpenDialog(options));
      return canceled ? undefined : filePaths[0];
    },
    saveFile: async (suggestedName, content) => {
      const name = basename(text(suggestedName, 'suggestedName', 255).replaceAll('\\', '/'));
      const data = text(content, 'text', MAX_FILE_CHARACTERS);
      const options = { defaultPath: join(app.getPath('downloads'), name) };
      const window = parts.window();
      const { canceled, filePath } = await (window
        ? dialog.showSaveDialog(window, options)
        : dialog.showSaveDialog(options));
      if (canceled || filePath === '') return undefined;
      await writeWhole(filePath, data);
      return filePath;
    },
    notify: async (title, body) => {
      const options = { title: text(title, 'title', 200), body: text(body, 'body', 2_000) };
      if (parts.Notification.isSupported()) new parts.Notification(options).show();
    },
    keyStoreAvailable: () => sessions.available(),
    rememberSession: async (token) => await sessions.remember(text(token, 'token', MAX_TOKEN_CHARACTERS)),
    recallSession: () => sessions.recall(),
    forgetSession: () => sessions.forget(),
    setTheme: async (theme) => {
      if (!isTheme(theme)) throw invalid('theme');
      nativeTheme.themeSource = theme;
      await settings.change({ theme });
    },
    closeChoice: async () => settings.current().closeChoice,
    setCloseChoice: async (choice) => {
      if (!isCloseChoice(choice)) throw invalid('choice');
      await settings.change({ closeChoice: choice });
      parts.closeChoiceChanged();
    },
  };
}

/** Serves the bridge to the top frame of our own pages, and to nobody else. */
export function serveBridge(
  ipcMain: Pick<IpcMain, 'handle'>,
  origin: string,
  parts: BridgeParts,
  refused: Refusal,
): void {
  const handlers = bridgeHandlers(parts);
  for (const method of Object.keys(BRIDGE_CHANNELS) as (keyof DesktopBridge)[]) {
    ipcMain.handle(channelOf(method), async (event, ...args: unknown[]): Promise<BridgeAnswer> => {
      if (!mayUseBridge(event.senderFrame, origin)) {
        refused(`bridge ${method}`, event.senderFrame?.url ?? 'a frame that is gone');
        return { error: 'This page may not use the desktop.' };
      }
      try {
        return { value: await handlers[method](...args) };
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    });
  }
}

const invalid = (name: string): Error => new Error(`The desktop was called with a wrong "${name}".`);

function text(value: unknown, name: string, limit: number): string {
  if (typeof value !== 'string' || value.length > limit) throw invalid(name);
  return value;
}

/** Writes beside the target and renames, so that a full disk does not leave half a file under the name the user chose. */
async function writeWhole(path: string, data: string): Promise<void> {
  const partial = `${path}.part`;
  const file = await open(partial, 'w');
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}
