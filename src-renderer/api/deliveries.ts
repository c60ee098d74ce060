/** Deliveries of callbacks: the records as the server answers them, the requests, and what a screen reads out of them. */
import { queryOptions } from '@tanstack/react-query';
import {
  type Delivery,
  type DeliveryState,
  isFinished,
  type RecordedBody,
  type RecordedRequest,
  type ReplayPreview,
  type Timing,
} from '../../src-main/contract/deliveries.ts';
import type { Json } from '../../src-main/kit/json.ts';
import { API, call } from './client.ts';
import { quote } from './curl.ts';

export type ReplayRange = {
  readonly States: readonly DeliveryState[];
  /** RFC 3339; left out: from the beginning. */
  readonly Since?: string;
};

/** Deliveries listed at most: more are behind a filter. */
export const LISTED = 500;
const POLL_BUSY = 3_000;
/** New deliveries are not part of the change stream. */
const POLL_IDLE = 15_000;

/** Filters of the list, in the order they are offered. */
export const FILTERS = {
  unfinished: ['waiting', 'sending', 'held'],
  ok: ['ok'],
  failed: ['failed'],
  held: ['held'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly DeliveryState[]>;
export type Filter = keyof typeof FILTERS;

export function filterOf(state: string | undefined): Filter | undefined {
  return state !== undefined && Object.hasOwn(FILTERS, state) ? (state as Filter) : undefined;
}

/** The newest first. */
export function deliveriesPath(filter: Filter | undefined): string {
  const states = filter === undefined ? '' : `&State=In(${FILTERS[filter].join(',')})`;
  return `${API}/x/deliveries?reverse=true&limit=${LISTED}${states}`;
}

export const deliveryPath = (id: string, verb?: 'replay' | 'cancel'): string =>
  `${API}/x/deliveries/${encodeURIComponent(id)}${verb ? `/${verb}` : ''}`;

export const deliveryKeys = { all: ['deliveries'] as const };

export const deliveriesQuery = (filter: Filter | undefined) =>
  queryOptions({
    queryKey: [...deliveryKeys.all, 'list', filter ?? 'all'],
    queryFn: async ({ signal }) => {
      const { value, total } = await call<Delivery[]>({ method: 'GET', path: deliveriesPath(filter), signal });
      return { rows: value, total: total ?? value.length };
    },
    refetchInterval: ({ state }) =>
      state.data?.rows.every(({ State }) => isFinished(State)) === false ? POLL_BUSY : POLL_IDLE,
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...deliveryKeys.all, 'item', id],
    queryFn: async ({ signal }) => (await call<Delivery>({ method: 'GET', path: deliveryPath(id), signal })).value,
    refetchInterval: ({ state }) => (state.data && isFinished(state.data.State) ? POLL_IDLE : POLL_BUSY),
  });

export const deliveryApi = {
  replay: async (id: string) => (await call<Delivery>({ method: 'POST', path: deliveryPath(id, 'replay') })).value,
  cancel: async (id: string) => (await call<Delivery>({ method: 'POST', path: deliveryPath(id, 'cancel') })).value,
  preview: async (range: ReplayRange, signal?: AbortSignal) =>
    (
      await call<ReplayPreview>({
        method: 'POST',
        path: `${API}/x/deliveries/replay?preview=true`,
        body: range,
        signal,
      })
    ).value,
  replayRange: async (range: ReplayRange) =>
    (
      await call<ReplayPreview & { Replayed: number }>({
        method: 'POST',
        path: `${API}/x/deliveries/replay`,
        body: range,
      })
    ).value,
} as const;

/** Milliseconds from being asked for to its end; undefined while it has none. */
export function durationOf({ Time, EndTime }: Delivery): number | undefined {
  return EndTime === '' ? undefined : Math.max(0, Date.parse(EndTime) - Date.parse(Time));
}

export interface Phase {
  readonly name: 'Wait' | 'Connect' | 'TLS' | 'First byte' | 'Body';
  readonly ms: number;
}

/** The parts of an attempt that took any time, in their order; what is left of the total went into the body. */
export function phasesOf({ Wait, Connect, Tls, FirstByte, Total }: Timing): Phase[] {
  const body = Total - Wait - Connect - Tls - FirstByte;
  const phases: Phase[] = [
    { name: 'Wait', ms: Wait },
    { name: 'Connect', ms: Connect },
    { name: 'TLS', ms: Tls },
    { name: 'First byte', ms: FirstByte },
    { name: 'Body', ms: Math.round(body * 100) / 100 },
  ];
  return phases.filter(({ ms }) => ms > 0);
}

interface ShownBody {
  readonly text: string;
  readonly language: 'json' | 'text';
  /** True when the record keeps less than was sent. Masking changes lengths, so a small difference says nothing. */
  readonly cut: boolean;
}

/** A recorded body: JSON in lines, anything else as it was. */
export function showBody({ Body, Bytes }: RecordedBody): ShownBody {
  try {
    const value = JSON.parse(Body) as Json;
    if (typeof value === 'object') return { text: JSON.stringify(value, null, 2), language: 'json', cut: false };
  } catch {
    // Not JSON, or cut in the middle.
  }
  return { text: Body, language: 'text', cut: new TextEncoder().encode(Body).length < Bytes };
}

/** The request as it went out, as a line to run; what was masked stays masked, for the user to fill in. */
export function curlOfRequest({ Method, Url, Headers, Body }: RecordedRequest): string {
  const parts = ['curl', `-X ${Method}`];
  for (const [name, value] of Object.entries(Headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (Body !== '') parts.push(`--data-raw ${quote(Body)}`);
  parts.push(quote(Url));
  return parts.join(' ');
}

/** How a count of deliveries per callback reads, largest first. */
export function byCallback(callbacks: Readonly<Record<string, number>>): string[] {
  return Object.entries(callbacks)
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
    .map(([name, count]) => `${name}: ${count.toLocaleString()}`);
}
