/**
 * The route table. One route per screen; what a screen shows is in its search (see paths.ts). Screens are
 * fetched when they are opened, or before: the first while somebody signs in, the others after that (see SessionGate).
 */

import { IconError404 } from '@tabler/icons-react';
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { formatQuery, parseQuery, readSearch } from '../paths.ts';
import { Blank } from '../ui/Blank.tsx';
import { fetched } from '../ui/fetched.ts';
import { Layout } from './Layout.tsx';
import { ScreenFailed } from './ScreenFailed.tsx';

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
      fetched(async () => (await import('../features/users/UsersScreen.tsx')).UsersScreen),
    ),
    screen(
      '/roles',
      fetched(async () => (await import('../features/roles/RolesScreen.tsx')).RolesScreen),
    ),
    screen(
      '/tenants',
      fetched(async () => (await import('../features/tenants/TenantsScreen.tsx')).TenantsScreen),
    ),
    screen(
      '/tokens',
      fetched(async () => (await import('../features/tokens/TokensScreen.tsx')).TokensScreen),
    ),
    screen(
      '/simulator',
      fetched(async () => (await import('../features/simulator/SimulatorScreen.tsx')).SimulatorScreen),
    ),
    screen(
      '/machines',
      fetched(async () => (await import('../features/machines/MachinesScreen.tsx')).MachinesScreen),
    ),
    screen(
      '/callbacks',
      fetched(async () => (await import('../features/callbacks/CallbacksScreen.tsx')).CallbacksScreen),
    ),
    screen(
      '/deliveries',
      fetched(async () => (await import('../features/deliveries/DeliveriesScreen.tsx')).DeliveriesScreen),
    ),
  ]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  // Inside of the frame: what fails in a screen leaves the way to the others open.
  defaultErrorComponent: ScreenFailed,
  parseSearch: parseQuery,
  stringifySearch: formatQuery,
});
