import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { claimText } from '../../../src-main/contract/claims/index.ts';
import { type IssuedToken, lifetimeOf, type TokenWish } from '../../api/access.ts';
import { duration, localTime } from '../../ui/time.ts';
import { verbatim } from '../../ui/verbatim.ts';
import classes from './Granted.module.css';

interface GrantedProps {
  readonly wish: TokenWish;
  readonly issued: IssuedToken;
  /** Names of all roles that can be read; undefined when they cannot. */
  readonly knownRoles: readonly string[] | undefined;
}

/** Asked beside granted. Dropped roles are struck through with the reason, which the API itself does not give. */
export function Granted({ wish, issued, knownRoles }: GrantedProps) {
  const { rights, dropped } = issued;
  const whole = wish.roles.length === 0 && wish.claim === undefined;
  return (
    <table className={classes['granted']}>
      <thead>
        <tr>
          <td />
          <th scope="col">Asked</th>
          <th scope="col">Granted</th>
        </tr>
      </thead>
      <tbody>
        <Line name="User" asked={wish.user} granted={rights.Name} />
        <Line
          name="Roles"
          asked={wish.roles.length === 0 ? 'not narrowed' : <List items={wish.roles} />}
          granted={
            wish.roles.length === 0 ? (
              <List items={rights.Roles} none="none" />
            ) : (
              <ul>
                {wish.roles.map((role) =>
                  dropped.includes(role) ? (
                    <li key={role}>
                      <IconX size={13} aria-hidden className={classes['no']} />
                      <span>
                        <del>{role}</del> {whyDropped(role, knownRoles)}
                      </span>
                    </li>
                  ) : (
                    <li key={role}>
                      <IconCheck size={13} aria-hidden className={classes['yes']} />
                      {role}
                    </li>
                  ),
                )}
              </ul>
            )
          }
        />
        {wish.claim ? (
          <Line
            name="Claim"
            asked={<code>{verbatim(claimText(wish.claim))}</code>}
            granted={
              <>
                <code>{verbatim(rights.Claims.map(claimText).join('; '))}</code>, as far as {rights.Name} may
              </>
            }
          />
        ) : null}
        <Line
          name="Lifetime"
          asked={duration(wish.ttl)}
          granted={
            rights.Expires ? (
              <time dateTime={rights.Expires} title={rights.Expires}>
                {duration(lifetimeOf(rights) ?? 0)}, until {localTime(rights.Expires)}
              </time>
            ) : (
              'unknown'
            )
          }
        />
        <Line
          name="Own user"
          asked={whole ? 'yes' : 'no'}
          granted={
            rights.OwnUser ? 'yes: gets itself, its password, its tokens' : 'no: a narrowed token has no own-user claim'
          }
        />
      </tbody>
    </table>
  );
}

function whyDropped(role: string, known: readonly string[] | undefined): string {
  return known && !known.includes(role) ? 'does not exist' : 'would widen the allowed claims';
}

function Line({ name, asked, granted }: { name: string; asked: ReactNode; granted: ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{asked}</td>
      <td>{granted}</td>
    </tr>
  );
}

function List({ items, none = 'none' }: { items: readonly string[]; none?: string }) {
  if (items.length === 0) return none;
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
