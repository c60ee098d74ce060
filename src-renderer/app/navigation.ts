/** The rail: groups and screens, in order. Only screens that exist are listed. */
import {
  IconBuildingCommunity,
  IconKey,
  type IconProps,
  IconSend2,
  IconServer2,
  IconShieldCheck,
  IconUserQuestion,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Screen } from '../paths.ts';

export interface RailEntry {
  readonly screen: Screen;
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
}

export const NAVIGATION: readonly { readonly group: string; readonly entries: readonly RailEntry[] }[] = [
  {
    group: 'Access',
    entries: [
      { screen: 'users', label: 'Users', icon: IconUsers },
      { screen: 'roles', label: 'Roles & Claims', icon: IconShieldCheck },
      { screen: 'tenants', label: 'Tenants', icon: IconBuildingCommunity },
      { screen: 'tokens', label: 'Tokens', icon: IconKey },
      { screen: 'simulator', label: 'Access Simulator', icon: IconUserQuestion },
    ],
  },
  { group: 'Machines', entries: [{ screen: 'machines', label: 'Machines', icon: IconServer2 }] },
  {
    group: 'Callbacks',
    entries: [
      { screen: 'callbacks', label: 'Configuration', icon: IconWebhook },
      { screen: 'deliveries', label: 'Deliveries', icon: IconSend2 },
    ],
  },
];
