/** The tray icon: there while Proviso keeps running without its window, so that nobody has to look for a hidden server. */
import { type Menu, nativeImage, Tray } from 'electron';
import type { Log } from '../kit/log.ts';
import { TRAY_ICON } from './tray-icon.ts';

export interface TrayKeeper {
  show(): void;
  remove(): void;
}

export function keepTray(menu: () => Menu, open: () => void, log: Log): TrayKeeper {
  let tray: Tray | undefined;
  return {
    show: () => {
      if (tray !== undefined) return;
      try {
        tray = new Tray(nativeImage.createFromDataURL(TRAY_ICON));
        tray.setToolTip('Proviso is running');
        tray.setContextMenu(menu());
        tray.on('click', open);
      } catch (error) {
        // A desktop without a tray: the next start of Proviso opens the window again.
        log.warn({ err: error }, 'this desktop has no tray');
      }
    },
    remove: () => {
      tray?.destroy();
      tray = undefined;
    },
  };
}
