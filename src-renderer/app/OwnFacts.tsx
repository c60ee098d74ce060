import { useQuery } from '@tanstack/react-query';
import { ownQuery } from '../api/queries.ts';
import { localTime, remaining } from '../ui/time.ts';
import classes from './OwnFacts.module.css';

/**
 * What the session rests on, in the user menu: roles, tenant, expiry. Asked for again whenever it is opened. A menu may hold items
 * alone, so these are plain boxes without a role, read out as the menu's description by their `id`.
 */
export function OwnFacts({ id }: { id: string }) {
  const { data: own, error } = useQuery({ ...ownQuery, refetchOnMount: 'always' });
  if (!own)
    return (
      <div id={id} className={classes['note']}>
        {error ? 'Your rights could not be read.' : 'Reading your rights'}
      </div>
    );
  const roles = [...own.Roles, ...own.MissingRoles.map((name) => `${name} (does not exist)`)];
  return (
    <div id={id} className={classes['own']}>
      <div className={classes['facts']}>
        <span>Roles</span>
        <div>{roles.join(', ') || 'none: itself only'}</div>
        <span>Tenant</span>
        <div>{own.Tenant ?? 'none: sees everything, subject to roles'}</div>
        {own.Expires ? (
          <>
            <span>Session</span>
            <div title={own.Expires}>
              until {localTime(own.Expires)}, {remaining(own.Expires, Date.now())}; renewed while the window is open
            </div>
          </>
        ) : null}
      </div>
      {own.Narrowed ? (
        <div className={classes['note']}>
          This session carries less than your roles: nothing is disabled ahead, the server says what is refused.
        </div>
      ) : null}
    </div>
  );
}
