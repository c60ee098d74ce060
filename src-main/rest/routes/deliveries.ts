/** Deliveries of callbacks and the dry run (additive, below `/x`): look, replay, cancel, and what would be sent. */
import Type from 'typebox';
import type { Callbacks, ReplayRange } from '../../callbacks/index.ts';
import type { DeliveryState } from '../../contract/deliveries.ts';
import { Problem } from '../../contract/errors.ts';
import { matches, parseListQuery, sortComparator } from '../../contract/list-query.ts';
import { type IndexDefinition, MODELS, type ModelDefinition } from '../../contract/models/index.ts';
import type { Json, JsonObject } from '../../kit/json.ts';
import { notFound, type Objects, originOf } from '../../objects/index.ts';
import { jsonObject, requiredText } from '../body.ts';
import { type Context, flag, listCounts, ok, type Route } from '../http.ts';
import { renderForMachine } from './render-text.ts';

const DELIVERIES = 'deliveries';
const ANY = Type.Record(Type.String(), Type.Unknown());
const STATES: readonly DeliveryState[] = ['waiting', 'sending', 'held', 'ok', 'failed', 'cancelled'];

const textIndex = (field: string): IndexDefinition => {
  const value = (row: JsonObject): string => String(row[field] ?? '');
  return {
    Type: 'string',
    Unique: field === 'Id',
    Unordered: false,
    Regex: true,
    value,
    comparable: value,
    parse: (text) => text,
  };
};

/** Deliveries are no objects of the API, yet their list is filtered like any other. */
const LISTED: ModelDefinition = {
  ...MODELS.profiles,
  prefix: DELIVERIES as ModelDefinition['prefix'],
  name: 'Delivery',
  key: 'Id',
  keyOf: (row) => String(row['Id'] ?? ''),
  hasParams: false,
  hasMeta: false,
  indexes: Object.fromEntries(
    ['Id', 'Time', 'Machine', 'Plugin', 'Action', 'Trigger', 'State', 'Job', 'EndTime'].map((field) => [
      field,
      textIndex(field),
    ]),
  ),
};

interface DeliveryDeps {
  readonly objects: Objects;
  readonly callbacks: Callbacks;
  readonly info: (context: Context) => JsonObject;
}

/** Which finished deliveries a replay takes; read from a body. */
function readRange(body: JsonObject): ReplayRange {
  const found: Record<string, string | readonly DeliveryState[]> = {};
  for (const [name, value] of Object.entries(body)) {
    const key = name.charAt(0).toLowerCase() + name.slice(1);
    if (key === 'dryRun' || key === 'preview') continue;
    if (key === 'states') {
      if (!Array.isArray(value) || !value.every((state) => STATES.includes(state as DeliveryState)))
        throw new Problem('bad-request', `States is a list of ${STATES.join(', ')}`);
      found['states'] = value as DeliveryState[];
      continue;
    }
    if (!['since', 'until', 'machine', 'plugin', 'action'].includes(key))
      throw new Problem('bad-request', `${name} is no part of a range`);
    if (typeof value !== 'string') throw new Problem('bad-request', `${name} must be text`);
    const isTime = key === 'since' || key === 'until';
    if (isTime && Number.isNaN(Date.parse(value))) throw new Problem('bad-request', `${name} is no time: ${value}`);
    found[key] = isTime ? new Date(value).toISOString() : value;
  }
  return found as ReplayRange;
}

export function deliveryRoutes({ objects, callbacks, info }: DeliveryDeps): Route[] {
  const { deliveries } = callbacks;
  const key = (context: Context): string => context.params['key'] ?? '';
  /** A delivery is shown where its machine is. */
  const shown = (context: Context, row: JsonObject): boolean => {
    const { actor } = context.call;
    return !actor.restricts('machines') || actor.sees('machines', String(row['Machine']));
  };
  const demand = (context: Context, action: string, specific: string): void =>
    objects.guard.demand(context.call, [{ scope: DELIVERIES, action, specific }]);
  const visible = (context: Context): JsonObject => {
    const row = deliveries.get(key(context));
    if (!shown(context, row))
      throw new Problem('not-found', `${DELIVERIES}: ${key(context)}: Not Found`, {
        model: DELIVERIES,
        key: key(context),
      });
    return row;
  };
  const answer = { status: 200, schema: ANY } as const;
  return [
    ...(['GET', 'HEAD'] as const).map(
      (method): Route => ({
        method,
        path: '/x/deliveries',
        tag: DELIVERIES,
        summary: method === 'GET' ? 'Deliveries with their attempts, oldest first' : 'Counts deliveries',
        answer: method === 'GET' ? { status: 200, schema: Type.Array(ANY) } : { status: 200 },
        async handler(context) {
          demand(context, 'list', '*');
          const query = parseListQuery(LISTED, context.query);
          const all = await deliveries.list((row) => shown(context, row));
          const found = all.filter((row) => matches(query, row));
          if (query.sort.length > 0) found.sort(sortComparator(query));
          if (query.reverse) found.reverse();
          const from = query.offset ?? 0;
          const page = found.slice(from, query.limit === undefined ? undefined : from + query.limit);
          const headers = listCounts({ total: all.length, filtered: found.length, answered: page.length });
          return method === 'HEAD' ? { status: 200, headers } : ok(page, headers);
        },
      }),
    ),
    ...(['GET', 'HEAD'] as const).map(
      (method): Route => ({
        method,
        path: '/x/deliveries/:key',
        tag: DELIVERIES,
        summary: 'One delivery with its attempts',
        answer: method === 'GET' ? answer : { status: 200 },
        handler(context) {
          demand(context, 'get', key(context));
          return ok(visible(context));
        },
      }),
    ),
    {
      method: 'POST',
      path: '/x/deliveries/replay',
      tag: DELIVERIES,
      summary: 'Replays a range of finished deliveries; with ?preview=true only counts them',
      query: { preview: 'Counts only; sends nothing' },
      body: ANY,
      answer,
      async handler(context) {
        demand(context, 'replay', '*');
        if (context.call.actor.restricts('machines'))
          throw new Problem(
            'claim-missing',
            [`Cannot access ${context.call.url}`, 'A tenant that restricts machines replays deliveries one by one'],
            { reason: 'tenant' },
          );
        const body = jsonObject(context.json() ?? {});
        const range = readRange(body);
        const preview = await deliveries.preview(range);
        if (flag(context.query['preview']) || body['Preview'] === true || body['preview'] === true) return ok(preview);
        return ok({ ...preview, Replayed: await deliveries.replayRange(range, originOf(context.call)) });
      },
    },
    {
      method: 'POST',
      path: '/x/deliveries/:key/replay',
      tag: DELIVERIES,
      summary: 'Sends a finished delivery again, under the same id',
      answer,
      async handler(context) {
        demand(context, 'replay', key(context));
        visible(context);
        return ok(await deliveries.replay(key(context), originOf(context.call)));
      },
    },
    {
      method: 'POST',
      path: '/x/deliveries/:key/cancel',
      tag: DELIVERIES,
      summary: 'Ends a delivery that is not finished',
      answer,
      async handler(context) {
        demand(context, 'cancel', key(context));
        visible(context);
        return ok(await deliveries.cancel(key(context), originOf(context.call)));
      },
    },
    {
      method: 'POST',
      path: '/x/callbacks/render',
      tag: DELIVERIES,
      summary:
        'What a callback would send: method, address, headers, body, auth. Nothing is sent, no token is fetched; secure params stay sealed without getSecure. With Template: that text rendered for the machine',
      body: Type.Object({
        Machine: Type.String(),
        Plugin: Type.Optional(Type.String()),
        Action: Type.Optional(Type.String()),
        Template: Type.Optional(Type.String()),
        DataOverride: Type.Optional(Type.Unknown()),
      }),
      answer,
      async handler(context) {
        const body = jsonObject(context.json() ?? {});
        const typed = requiredText(body, 'Machine');
        const { stored } = objects.get(context.call, MODELS.machines, typed);
        if (body['Template'] !== undefined) {
          const output = await renderForMachine(objects, stored, requiredText(body, 'Template'), info(context));
          return ok({ Output: output });
        }
        const plugin = body['Plugin'] === undefined ? 'callback' : requiredText(body, 'Plugin');
        const instance = objects.view.get('plugins', plugin);
        if (!instance || !objects.guard.visible(context.call, MODELS.plugins, instance, objects.view))
          throw notFound(MODELS.plugins, plugin);
        return ok(
          await callbacks.dryRun({
            machine: stored.key,
            plugin,
            action: requiredText(body, 'Action'),
            mayDecode: objects.guard.allows(context.call, [
              { scope: 'machines', action: 'getSecure', specific: stored.key },
            ]),
            ...(Object.hasOwn(body, 'DataOverride') ? { override: { value: body['DataOverride'] as Json } } : {}),
          }),
        );
      },
    },
  ];
}
