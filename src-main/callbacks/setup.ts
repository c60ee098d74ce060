/** What an attempt needs of the configuration, read anew each time: changes take effect at once. */
import type { AuthConfig, CallbackConfig } from './config.ts';
import type { ConfigBook, PluginEntry } from './config-book.ts';
import { type Stop, Stopped } from './stop.ts';

export interface Setup {
  readonly plugin: PluginEntry;
  readonly callback: CallbackConfig;
  /** In the order in which they are tried. */
  readonly methods: readonly AuthConfig[];
}

export type SetupReading =
  | { readonly ok: true; readonly setup: Setup }
  /** `passing`: a change of the configuration can end it. */
  | { readonly ok: false; readonly problem: string; readonly passing: boolean };

function unknownAction(plugin: PluginEntry, action: string): string {
  const known = [...plugin.config.callbacks.keys()].sort();
  const list = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return `Action ${action} is not in callback/callbacks of plugin ${plugin.name}: ${list}`;
}

export function readSetup(book: ConfigBook, pluginName: string, action: string): SetupReading {
  const plugin = book.get(pluginName);
  if (!plugin) return { ok: false, problem: `plugin ${pluginName} does not exist`, passing: false };
  if (!plugin.available)
    return { ok: false, problem: `plugin ${pluginName} is not available; see its Errors`, passing: true };
  const callback = plugin.config.callbacks.get(action);
  if (!callback) return { ok: false, problem: unknownAction(plugin, action), passing: false };
  const methods = callback.auths.flatMap((name) => plugin.config.auths.get(name) ?? []);
  return { ok: true, setup: { plugin, callback, methods } };
}

/** Resolves at the next change of any plugin. Rejects with Stopped. */
export function configChange(book: ConfigBook, stop: Stop): Promise<void> {
  return new Promise((resolve, reject) => {
    const off = book.onChange(() => {
      unstop();
      resolve();
    });
    const unstop = stop.on((reason) => {
      off();
      reject(new Stopped(reason));
    });
  });
}
