/** The server's state as words and a tone, and the clock difference. Pure. */
import type { HostState } from '../../src-main/contract/host.ts';

interface ServiceView {
  readonly word: 'Starting' | 'Running' | 'Stopping' | 'Stopped' | 'Upgrading' | 'Failed' | 'No answer' | 'Connecting';
  readonly tone: 'ok' | 'pending' | 'danger' | 'off';
  readonly reason?: string;
  readonly hint?: string;
  /** ISO time the state began, where known. */
  readonly since?: string;
}

/** `unreachable` wins over an older answer: what was true five seconds ago says nothing about now. */
export function describeService(host: HostState | undefined, unreachable: boolean): ServiceView {
  if (unreachable) {
    return {
      word: 'No answer',
      tone: 'off',
      reason: 'The server does not answer.',
      hint: 'It may have been stopped or be restarting. This page tries again every 5 s.',
    };
  }
  if (!host) return { word: 'Connecting', tone: 'pending' };
  const service = host.service;
  switch (service.state) {
    case 'starting':
      return { word: 'Starting', tone: 'pending', reason: 'The service is starting.', since: service.since };
    case 'running':
      return { word: 'Running', tone: 'ok', since: service.since };
    case 'stopping':
      return { word: 'Stopping', tone: 'pending', reason: 'The service is stopping.', since: service.since };
    case 'stopped':
      return { word: 'Stopped', tone: 'danger', reason: service.reason, since: service.since };
    case 'upgrading':
      return { word: 'Upgrading', tone: 'pending', reason: service.reason, since: service.since };
    case 'failed':
      return { word: 'Failed', tone: 'danger', reason: service.reason, hint: service.hint, since: service.since };
  }
}

/** Server time minus ours in whole seconds; `receivedAt` in ms since the epoch. */
export function clockSkewSeconds(serverTime: string, receivedAt: number): number {
  const server = Date.parse(serverTime);
  return Number.isNaN(server) || receivedAt === 0 ? 0 : Math.round((server - receivedAt) / 1000);
}
