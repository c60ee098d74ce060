import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconUserQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenInspection } from '../../../src-main/contract/access-answers.ts';
import { claimText } from '../../../src-main/contract/claims/index.ts';
import { inspectToken, lifetimeOf, TOKEN_KINDS, tokenOf } from '../../api/access.ts';
import { useCan } from '../../api/can.ts';
import { useHandOver } from '../../api/hand-over.ts';
import { hrefTo } from '../../paths.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Card } from '../../ui/Page.tsx';
import { Facts } from '../../ui/Panel.tsx';
import { duration, localTime, remaining } from '../../ui/time.ts';
import { verbatim } from '../../ui/verbatim.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import classes from './InspectToken.module.css';

/** What a token says and whether it still holds. The token goes to our own server and stays out of address, storage and log. */
export function InspectToken() {
  const can = useCan();
  const [pasted, setPasted] = useState('');
  const inspect = useMutation({ gcTime: 0, mutationFn: inspectToken });
  const token = tokenOf(pasted);
  const locked = can.locked('users', 'list') ?? can.locked('roles', 'list');
  return (
    <Card title="Inspect a token">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token !== '' && locked === undefined) inspect.mutate(token);
        }}
      >
        <Stack gap={12}>
          <PasswordInput
            label="Token"
            placeholder="Paste a token"
            description="Sent to this server only; needs the right to list users and roles"
            autoComplete="off"
            spellCheck={false}
            value={pasted}
            onChange={(event) => {
              setPasted(event.currentTarget.value);
              inspect.reset();
            }}
          />
          {inspect.error ? <ErrorNotice error={inspect.error} announce /> : null}
          <Group justify="flex-end" gap={8}>
            {pasted === '' ? null : (
              <Button
                onClick={() => {
                  setPasted('');
                  inspect.reset();
                }}
              >
                Forget
              </Button>
            )}
            <GuardedButton
              type="submit"
              variant="filled"
              locked={locked ?? (token === '' ? 'Paste a token first' : undefined)}
              loading={inspect.isPending}
            >
              Inspect
            </GuardedButton>
          </Group>
        </Stack>
      </form>
      {inspect.data ? <Inspected found={inspect.data} token={token} /> : null}
    </Card>
  );
}

function Inspected({ found, token }: { found: TokenInspection; token: string }) {
  const { Actor: actor } = found;
  const kind = found.Token === null ? undefined : (TOKEN_KINDS[found.Token] ?? { name: found.Token, about: '' });
  const life = actor ? lifetimeOf(actor) : undefined;
  return (
    <section className={classes['result']} aria-label="Result" aria-live="polite" data-testid="inspection">
      <div className={classes['verdict']}>
        <Chip tone={found.Valid ? 'ok' : 'danger'}>{found.Valid ? 'Valid' : 'Not valid'}</Chip>
        <span>{kind?.name ?? 'Cannot be read'}</span>
        {found.Token !== null && found.Token !== 'user' && life !== undefined ? (
          <Chip tone="warn">{duration(life)}</Chip>
        ) : null}
      </div>
      {kind?.about ? <p className="hint">{kind.about}</p> : null}
      <ul className={classes['checks']} aria-label="Checks">
        {found.Checks.map((check) => {
          const Icon = check.Ok ? IconCircleCheck : IconCircleX;
          return (
            <li key={check.What} data-ok={check.Ok}>
              <Icon size={16} aria-label={check.Ok ? 'holds' : 'does not hold'} />
              <span>
                <b>{CHECKS[check.What] ?? check.What}</b> {check.Sentence}
              </span>
            </li>
          );
        })}
      </ul>
      {actor ? (
        <Facts
          rows={[
            { label: found.Token === 'user' ? 'User' : 'Acts as', value: actor.Name },
            { label: 'Tenant', value: actor.Tenant ?? 'none' },
            {
              label: 'Roles',
              value:
                actor.Roles.length + actor.MissingRoles.length === 0 ? (
                  'none'
                ) : (
                  <Chips>
                    {actor.Roles.map((role) => (
                      <Chip key={role}>{role}</Chip>
                    ))}
                    {actor.MissingRoles.map((role) => (
                      <Chip key={role} tone="warn">
                        {role}: does not exist
                      </Chip>
                    ))}
                  </Chips>
                ),
            },
            ...(actor.DroppedRoles.length > 0
              ? [
                  {
                    label: 'Dropped roles',
                    value: (
                      <>
                        <del>{actor.DroppedRoles.join(', ')}</del>, asked for and not given
                      </>
                    ),
                  },
                ]
              : []),
            {
              label: 'Direct claims',
              value: actor.Claims.length === 0 ? 'none' : <ClaimLines claims={actor.Claims.map(claimText)} />,
            },
            { label: 'Narrowed', value: actor.Narrowed ? 'yes: less than the rights of the user' : 'no' },
            { label: 'Own-user claim', value: actor.OwnUser ? 'yes' : 'no' },
            { label: 'Granted by', value: actor.Grantor ?? 'unknown' },
            { label: 'Issued', value: <Moment iso={actor.Issued} /> },
            {
              label: 'Expires',
              value: (
                <>
                  <Moment iso={actor.Expires} />
                  {life === undefined ? null : `; lives ${duration(life)}`}
                </>
              ),
            },
          ]}
        />
      ) : null}
      {actor ? (
        <Group justify="flex-end" mt={12}>
          <Button
            size="compact-sm"
            component="a"
            href={hrefTo('simulator', {})}
            leftSection={<IconUserQuestion size={15} aria-hidden />}
            onClick={() => useHandOver.getState().give({ token })}
          >
            Try in simulator
          </Button>
        </Group>
      ) : null}
    </section>
  );
}

/** What each check is about, in the order the server looks. */
const CHECKS: Readonly<Record<string, string>> = {
  system: 'System Secret.',
  expiry: 'Expiry.',
  user: 'User Secret.',
  machine: 'Machine Secret.',
  grantor: 'Grantor Secret.',
};

function ClaimLines({ claims }: { claims: readonly string[] }) {
  return (
    <ul className="links">
      {claims.map((claim) => (
        <li key={claim}>
          <code>{verbatim(claim)}</code>
        </li>
      ))}
    </ul>
  );
}

function Moment({ iso }: { iso: string | null }) {
  if (!iso) return 'unknown';
  return (
    <time dateTime={iso} title={iso}>
      {localTime(iso)} ({remaining(iso, Date.now())})
    </time>
  );
}
