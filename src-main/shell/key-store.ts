/**
 * The session token on this computer: encrypted by the operating system's key store, or not kept at all.
 * A Linux desktop without a keyring makes Electron fall back to a password that everybody knows; that counts as none.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SafeStorage } from 'electron';

export interface SessionKeeper {
  available(): Promise<boolean>;
  /** Keeps the token; without a key store it is dropped. */
  remember(token: string): Promise<void>;
  /** The kept token, or undefined when there is none or it can no longer be decrypted. */
  recall(): Promise<string | undefined>;
  forget(): Promise<void>;
}

type KeyStore = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

export function keepSession(keyStore: KeyStore, path: string, platform: NodeJS.Platform): SessionKeeper {
  const available = async (): Promise<boolean> => {
    if (platform === 'linux' && ['basic_text', 'unknown'].includes(keyStore.getSelectedStorageBackend())) return false;
    return await keyStore.isAsyncEncryptionAvailable();
  };
  const remember = async (token: string): Promise<void> => {
    if (!(await available())) return;
    const sealed = await keyStore.encryptStringAsync(token);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, sealed, { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  return {
    available,
    remember,
    recall: async () => {
      const sealed = await readFile(path).catch(() => undefined);
      if (sealed === undefined || !(await available())) return undefined;
      try {
        const { result, shouldReEncrypt } = await keyStore.decryptStringAsync(sealed);
        if (shouldReEncrypt) await remember(result);
        return result;
      } catch {
        return undefined; // made by another key store: the user signs in again
      }
    },
    forget: () => rm(path, { force: true }),
  };
}
