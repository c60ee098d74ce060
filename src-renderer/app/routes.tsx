/**
 * The route table. One route per screen; what a screen shows is in its search (see paths.ts). Screens are
 * fetched when they are opened, or before: the first while somebody signs in, others while the pointer rests on their link.
 */

import { IconError404 } from '@tabler/icons-react';
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { formatQuery, parseQuery, readSearch } from '../paths.ts';
import { Blank } from '../ui/Blank.tsx';
import { Layout } from './Layout.tsx';

const root = createRootRoute({
  component: Layout,
  notFoundComponent: () => (
    <Blank icon={IconError404} title="There is no such screen">
      <p>Choose one on the left.</p>
    </Blank>
  ),
});

const screen = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: readSearch });

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/machines' });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    screen(
      '/users',
      lazyRouteComponent(() => import('../features/users/UsersScreen.tsx'), 'UsersScreen'),
    ),
    screen(
      '/roles',
      lazyRouteComponent(() => import('../features/roles/RolesScreen.tsx'), 'RolesScreen'),
    ),
    screen(
      '/tenants',
      lazyRouteComponent(() => import('../features/tenants/TenantsScreen.tsx'), 'TenantsScreen'),
    ),
    screen(
      '/tokens',
      lazyRouteComponent(() => import('../features/tokens/TokensScreen.tsx'), 'TokensScreen'),
    ),
    screen(
      '/simulator',
      lazyRouteComponent(() => import('../features/simulator/SimulatorScreen.tsx'), 'SimulatorScreen'),
    ),
    screen(
      '/machines',
      lazyRouteComponent(() => import('../features/machines/MachinesScreen.tsx'), 'MachinesScreen'),
    ),
    screen(
      '/callbacks',
      lazyRouteComponent(() => import('../features/callbacks/CallbacksScreen.tsx'), 'CallbacksScreen'),
    ),
    screen(
      '/deliveries',
      lazyRouteComponent(() => import('../features/deliveries/DeliveriesScreen.tsx'), 'DeliveriesScreen'),
    ),
  ]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  parseSearch: parseQuery,
  stringifySearch: formatQuery,
});
