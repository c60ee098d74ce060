/** Runs sandboxed in front of every page of ours and hands it the bridge as `window.proviso`: methods, no IPC, no Node. */
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CHANNELS, type DesktopBridge } from '../contract/desktop-bridge.ts';
import { type BridgeAnswer, channelOf } from './channel.ts';

const call =
  (method: keyof DesktopBridge) =>
  async (...args: unknown[]): Promise<unknown> => {
    const answer = (await ipcRenderer.invoke(channelOf(method), ...args)) as BridgeAnswer;
    if ('error' in answer) throw new Error(answer.error);
    return answer.value;
  };

const methods = Object.keys(BRIDGE_CHANNELS) as (keyof DesktopBridge)[];
contextBridge.exposeInMainWorld('proviso', Object.fromEntries(methods.map((method) => [method, call(method)])));
