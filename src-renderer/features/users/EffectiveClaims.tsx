import { Button } from '@mantine/core';
import { Fragment } from 'react';
import { type Claim, ownUserClaims } from '../../../src-main/contract/claims/index.ts';
import { useList } from '../../api/queries.ts';
import type { User } from '../../api/types.ts';
import { hrefTo } from '../../paths.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Section } from '../../ui/Panel.tsx';
import { verbatim } from '../../ui/verbatim.ts';
import classes from './EffectiveClaims.module.css';

/** Everything the user may do: the claims of its roles and its own-user claims, each with where it comes from. */
export function EffectiveClaims({ user }: { user: User }) {
  const roles = useList('roles').data?.rows;
  const tenants = useList('tenants').data?.rows;
  if (!roles) return <p className="hint">Roles are not readable for you.</p>;
  const tenant = tenants?.find(({ Users }) => Users.includes(user.Name));
  const missing = user.Roles.filter((name) => !roles.some((role) => role.Name === name));
  const all = [
    ...roles
      .filter((role) => user.Roles.includes(role.Name))
      .flatMap((role) => role.Claims.map((claim) => ({ from: role.Name, claim }))),
    ...ownUserClaims(user.Name).map((claim) => ({ from: 'own user', claim })),
  ];
  // A role may name the same claim twice.
  const rows = [...new Map(all.map((row) => [`${row.from}\n${textOf(row.claim)}`, row])).values()].sort((a, b) =>
    textOf(a.claim) < textOf(b.claim) ? -1 : 1,
  );
  return (
    <Section
      title={`${rows.length} ${rows.length === 1 ? 'claim' : 'claims'} in force`}
      aside={
        <Button size="compact-sm" component="a" href={hrefTo('simulator', { user: user.Name })}>
          Ask the simulator
        </Button>
      }
    >
      {tenant ? (
        <p className="hint">
          As far as the tenant {tenant.Name} shows the objects: a claim on what it hides has no effect.
        </p>
      ) : null}
      {missing.length > 0 ? (
        <p className="hint">Without effect, since they do not exist: {missing.join(', ')}</p>
      ) : null}
      <table className={classes['claims']}>
        <thead>
          <tr>
            <th scope="col">Scope</th>
            <th scope="col">Action</th>
            <th scope="col">Specific</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ from, claim }) => (
            <tr key={`${from}\n${textOf(claim)}`}>
              <td>
                <Items of={claim.scope} />
              </td>
              <td>
                <Items of={claim.action} />
              </td>
              <td>
                <Items of={claim.specific} />
              </td>
              <td>
                <Chip>{from}</Chip>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** A comma list that breaks between its items first, then before a pointer. */
function Items({ of }: { of: string }) {
  return verbatim(of)
    .split(/(?<=[,:])/)
    .map((item, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
      <Fragment key={at}>
        {at > 0 ? <wbr /> : null}
        {item}
      </Fragment>
    ));
}

function textOf({ scope, action, specific }: Claim): string {
  return `${scope} ${action} ${specific}`;
}
