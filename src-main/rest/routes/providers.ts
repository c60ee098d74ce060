/**
 * Plugin providers beyond list and get (wire-format.md 12.3). Providers are built in: an uploaded executable would never run here,
 * so it is refused instead of being kept for nothing (docs/decisions/0010-no-foreign-providers.md).
 */
import { Problem } from '../../contract/errors.ts';
import { MODELS, PluginProviderUpload } from '../../contract/models/index.ts';
import { notFound, type Objects } from '../../objects/index.ts';
import type { Context, Route } from '../http.ts';

const definition = MODELS.plugin_providers;

export function providerRoutes({ guard, view }: Pick<Objects, 'guard' | 'view'>): Route[] {
  const keyOf = (context: Context): string => context.params['key'] ?? '';
  const demand = (context: Context, action: string): void =>
    guard.demand(context.call, [{ scope: 'plugin_providers', action, specific: keyOf(context) }]);
  return [
    {
      method: 'POST',
      path: '/plugin_providers/:key',
      tag: 'plugin_providers',
      summary: 'Refused: providers are built in',
      upload: true,
      answer: { status: 201, schema: PluginProviderUpload },
      handler(context) {
        demand(context, 'post');
        const key = keyOf(context);
        const sentence = view.get('plugin_providers', key)
          ? `Plugin provider ${key} is built in and cannot be replaced`
          : `Plugin provider ${key} cannot be installed: only the built-in providers run here`;
        throw new Problem('invalid', sentence, { model: 'plugin_providers', key });
      },
    },
    {
      method: 'DELETE',
      path: '/plugin_providers/:key',
      tag: 'plugin_providers',
      summary: 'Refused for what is built in; absent: 404',
      answer: { status: 204 },
      handler(context) {
        const key = keyOf(context);
        const stored = view.get('plugin_providers', key);
        const isShown = stored !== undefined && guard.visible(context.call, definition, stored, view);
        if (isShown || !context.call.actor.restricts(definition.prefix)) demand(context, 'delete');
        if (!isShown) throw notFound(definition, key);
        throw new Problem('read-only', `readonly: ${key}`, { status: 404 });
      },
    },
  ];
}
