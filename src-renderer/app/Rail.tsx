import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { linkTo } from '../paths.ts';
import { Mark } from '../ui/Mark.tsx';
import { NAVIGATION, type RailEntry } from './navigation.ts';
import classes from './Rail.module.css';
import { useViewState } from './view-state.ts';

/** Left navigation; collapsed it shows icons, and the names as tooltips and to screen readers. */
export function Rail() {
  const collapsed = useViewState((state) => state.railCollapsed);
  return (
    <nav className={classes['rail']} aria-label="Main" data-region data-collapsed={collapsed || undefined}>
      <div className={classes['brand']}>
        <Mark size={24} />
        <span className={classes['name']}>Proviso</span>
      </div>
      {NAVIGATION.map(({ group, entries }) => (
        <div key={group} className={classes['group']}>
          <h2 className={classes['heading']}>{group}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={entry.screen}>
                <RailLink entry={entry} collapsed={collapsed} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function RailLink({ entry, collapsed }: { entry: RailEntry; collapsed: boolean }) {
  const Icon = entry.icon;
  return (
    <Tooltip label={entry.label} position="right" disabled={!collapsed}>
      <Link
        {...linkTo(entry.screen)}
        className={classes['link']}
        activeProps={{ 'aria-current': 'page' }}
        activeOptions={{ includeSearch: false }}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className={classes['label']}>{entry.label}</span>
      </Link>
    </Tooltip>
  );
}
