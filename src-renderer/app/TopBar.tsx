import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconDeviceDesktop,
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconPassword,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import { hasDrafts } from '../api/drafts.ts';
import { session, signOut } from '../api/session.ts';
import { bridge } from '../desktop/bridge.ts';
import { OwnPasswordDialog } from '../features/common/OwnPasswordDialog.tsx';
import { linkTo } from '../paths.ts';
import { COLOR_SCHEMES } from '../ui/color-scheme.ts';
import { NAVIGATION } from './navigation.ts';
import { OwnFacts } from './OwnFacts.tsx';
import { SignOutDialog } from './SignOutDialog.tsx';
import classes from './TopBar.module.css';
import { useViewState } from './view-state.ts';

export function TopBar() {
  const { toggleRail, showShortcuts, railCollapsed } = useViewState();
  return (
    <header className={classes['bar']}>
      <div className={classes['wide']}>
        <Tooltip label={`${railCollapsed ? 'Show' : 'Collapse'} navigation (Ctrl+B)`}>
          <ActionIcon aria-label="Toggle navigation" aria-pressed={railCollapsed} onClick={toggleRail}>
            <IconLayoutSidebar size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <NarrowMenu />
      <Breadcrumb />
      <div className={classes['end']}>
        <Tooltip label="Keyboard shortcuts (?)">
          <ActionIcon aria-label="Keyboard shortcuts" onClick={() => showShortcuts(true)}>
            <IconKeyboard size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <ThemeMenu />
        <UserMenu />
      </div>
    </header>
  );
}

function Breadcrumb() {
  const path = useRouterState({ select: (state) => state.location.pathname.slice(1) });
  const selected = useRouterState({ select: (state) => (state.location.search as { sel?: string }).sel });
  const found = NAVIGATION.flatMap(({ group, entries }) =>
    entries.filter((e) => e.screen === path).map((entry) => ({ group, entry })),
  )[0];
  if (!found) return <span />;
  return (
    <nav aria-label="Breadcrumb" className={classes['crumbs']}>
      <ol>
        <li>{found.group}</li>
        {found.group === found.entry.label ? null : (
          <li>
            <Link {...linkTo(found.entry.screen)}>{found.entry.label}</Link>
          </li>
        )}
        {selected === undefined || path === 'machines' || path === 'deliveries' ? null : (
          <li aria-current="page">{selected}</li>
        )}
      </ol>
    </nav>
  );
}

function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };
  const Current = icons[colorScheme];
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label="Theme" title="Theme">
          <Current size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {COLOR_SCHEMES.map(({ value, label }) => {
          const Icon = icons[value];
          return (
            <Menu.Item
              key={value}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={colorScheme === value ? <IconCheck size={14} aria-label="chosen" /> : null}
              onClick={() => {
                setColorScheme(value);
                void bridge?.setTheme(value === 'auto' ? 'system' : value);
              }}
            >
              {label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu() {
  const user = useStore(session, (s) => (s.kind === 'signed-in' || s.kind === 'expired' ? s.user : ''));
  const [changing, setChanging] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const facts = useId();
  const navigate = useNavigate();
  const leave = () => {
    if (hasDrafts()) setLeaving(true);
    else void signOut();
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <button type="button" className={classes['user']} aria-label={`User menu of ${user}`}>
            <IconUserCircle size={18} stroke={1.7} aria-hidden />
            <span>{user}</span>
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-describedby={facts}>
          <OwnFacts id={facts} />
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconUserCircle size={16} aria-hidden />}
            onClick={() => void navigate(linkTo('users', user))}
          >
            My user
          </Menu.Item>
          <Menu.Item leftSection={<IconPassword size={16} aria-hidden />} onClick={() => setChanging(true)}>
            Change password
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {changing ? <OwnPasswordDialog user={user} onClose={() => setChanging(false)} /> : null}
      {leaving ? <SignOutDialog onClose={() => setLeaving(false)} /> : null}
    </>
  );
}

/** On narrow windows the rail becomes this menu. */
function NarrowMenu() {
  const navigate = useNavigate();
  return (
    <div className={classes['narrow']}>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon aria-label="Navigation">
            <IconMenu2 size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {NAVIGATION.flatMap(({ entries }) =>
            entries.map((entry) => (
              <Menu.Item key={entry.screen} onClick={() => void navigate(linkTo(entry.screen))}>
                {entry.label}
              </Menu.Item>
            )),
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
