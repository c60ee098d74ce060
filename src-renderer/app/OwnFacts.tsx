import { useQuery } from '@tanstack/react-query';
import { useCan } from '../api/can.ts';
import { ownQuery } from '../api/queries.ts';
import { localTime, remaining } from '../ui/time.ts';
import classes from './OwnFacts.module.css';

/** What the session rests on, in the user menu: roles, tenant, expiry. Asked for again whenever it is opened. */
export function OwnFacts() {
  const { data: own, error } = useQuery({ ...ownQuery, refetchOnMount: 'always' });
  const { standing } = useCan();
  if (!own)
    return <p className={classes['note']}>{error ? 'Your rights could not be read.' : 'Reading your rights'}</p>;
  const roles = [...own.Roles, ...own.MissingRoles.map((name) => `${name} (does not exist)`)];
  return (
    <div className={classes['own']}>
      <dl>
        <dt>Roles</dt>
        <dd>{roles.join(', ') || 'none: itself only'}</dd>
        <dt>Tenant</dt>
        <dd>{own.Tenant ?? 'none: sees everything, subject to roles'}</dd>
        {own.Expires ? (
          <>
            <dt>Session</dt>
            <dd>
              <time dateTime={own.Expires} title={own.Expires}>
                until {localTime(own.Expires)}
              </time>
              , {remaining(own.Expires, Date.now())}; renewed while the window is open
            </dd>
          </>
        ) : null}
      </dl>
      {standing.grants ? null : (
        <p className={classes['note']}>
          You may not read the claims of your roles: nothing is disabled ahead, the server says what is refused.
        </p>
      )}
    </div>
  );
}
