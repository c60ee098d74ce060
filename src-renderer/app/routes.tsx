/** The route table. One route per screen; what a screen shows is in its search (see paths.ts). */

import { IconError404 } from '@tabler/icons-react';
import { createHashHistory, createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { CallbacksScreen } from '../features/callbacks/CallbacksScreen.tsx';
import { DeliveriesScreen } from '../features/deliveries/DeliveriesScreen.tsx';
import { MachinesScreen } from '../features/machines/MachinesScreen.tsx';
import { RolesScreen } from '../features/roles/RolesScreen.tsx';
import { SimulatorScreen } from '../features/simulator/SimulatorScreen.tsx';
import { TenantsScreen } from '../features/tenants/TenantsScreen.tsx';
import { TokensScreen } from '../features/tokens/TokensScreen.tsx';
import { UsersScreen } from '../features/users/UsersScreen.tsx';
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

const screen = (path: string, component: () => React.ReactNode) =>
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
    screen('/users', UsersScreen),
    screen('/roles', RolesScreen),
    screen('/tenants', TenantsScreen),
    screen('/tokens', TokensScreen),
    screen('/simulator', SimulatorScreen),
    screen('/machines', MachinesScreen),
    screen('/callbacks', CallbacksScreen),
    screen('/deliveries', DeliveriesScreen),
  ]),
  history: createHashHistory(),
  parseSearch: parseQuery,
  stringifySearch: formatQuery,
});
