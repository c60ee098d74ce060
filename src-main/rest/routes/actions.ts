/** Plugin actions on objects and on the system (wire-format.md 6.2). */
import Type from 'typebox';
import { AvailableAction } from '../../contract/models/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { type ActionDeps, actionSets, getAction, listActions, runAction, type Target } from '../../objects/actions.ts';
import { jsonObject } from '../body.ts';
import { type Context, ok, one, type Route } from '../http.ts';

const PLUGIN_QUERY = { plugin: 'Plugin instance to use' };

const paramsBody = (context: Context): JsonObject => jsonObject(context.json() ?? {}, 'Action parameters');

function rows(deps: ActionDeps, base: string, tag: string, target: (context: Context) => Target): Route[] {
  const command = (context: Context): string => context.params['cmd'] ?? '';
  const plugin = (context: Context): string | undefined => one(context.query['plugin']);
  return [
    {
      method: 'GET',
      path: base,
      tag,
      summary: 'Actions that can be run now',
      query: PLUGIN_QUERY,
      answer: { status: 200, schema: Type.Array(AvailableAction) },
      handler: (context) => ok(listActions(deps, context.call, target(context), plugin(context))),
    },
    {
      method: 'GET',
      path: `${base}/:cmd`,
      tag,
      summary: 'One action',
      query: PLUGIN_QUERY,
      answer: { status: 200, schema: AvailableAction },
      handler: (context) => ok(getAction(deps, context.call, target(context), command(context), plugin(context))),
    },
    {
      method: 'POST',
      path: `${base}/:cmd`,
      tag,
      summary: 'Runs an action; answers what the plugin answers',
      query: PLUGIN_QUERY,
      body: Type.Record(Type.String(), Type.Unknown()),
      answer: { status: 200, schema: Type.Unknown() },
      handler: async (context) =>
        ok(
          await runAction(deps, context.call, target(context), command(context), plugin(context), paramsBody(context)),
        ),
    },
  ];
}

export function actionRoutes(deps: ActionDeps): Route[] {
  const ofTypes = actionSets().flatMap((definition) =>
    rows(deps, `/${definition.prefix}/:key/${definition.actions}`, definition.prefix, (context) => ({
      kind: 'object',
      definition,
      typed: context.params['key'] ?? '',
    })),
  );
  return [...ofTypes, ...rows(deps, '/system/actions', 'system', () => ({ kind: 'system' }))];
}
