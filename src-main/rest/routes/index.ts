/** The route table: every row of the API, in one list. The OpenAPI document, the policy table and the server are made from it. */
import type { Access } from '../../access/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { ActionDeps, Objects } from '../../objects/index.ts';
import type { Context, Route } from '../http.ts';
import { actionRoutes } from './actions.ts';
import { contentRoutes } from './contents.ts';
import { eventRoutes } from './events.ts';
import { objectRoutes } from './objects.ts';
import { serverRoutes } from './server.ts';
import { userRoutes } from './users.ts';

interface RouteDeps {
  readonly objects: Objects;
  readonly access: Access;
  readonly actions: ActionDeps;
  readonly info: (context: Context) => JsonObject;
  /** Aborted when streams must end. */
  readonly ended: AbortSignal;
  /** Rows of the rooms above. */
  readonly more: readonly Route[];
}

export function allRoutes({ objects, access, actions, info, ended, more }: RouteDeps): Route[] {
  return [
    ...objectRoutes(objects),
    ...userRoutes({ objects, access, info }),
    ...actionRoutes(actions),
    ...contentRoutes(objects),
    ...serverRoutes(objects, info),
    ...eventRoutes({ objects, access, ended }),
    ...more,
  ];
}
