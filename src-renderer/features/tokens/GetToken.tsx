import { Autocomplete, Button, Group, PasswordInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Claim } from '../../../src-main/contract/claims/index.ts';
import { issueToken, namesOf, type TokenWish, tokenPath } from '../../api/access.ts';
import { useCan } from '../../api/can.ts';
import { curlOf } from '../../api/curl.ts';
import { useList } from '../../api/queries.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { CopyCurl } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { duration } from '../../ui/time.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import { useScreen } from '../common/use-screen.ts';
import { ClaimFields } from './ClaimFields.tsx';
import { Granted } from './Granted.tsx';

const LIFETIMES = [900, 3600, 8 * 3600, 86_400, 7 * 86_400, 30 * 86_400];
const OTHER = 'other';
const ANY_CLAIM: Claim = { scope: 'machines', action: 'get,list', specific: '*' };

/** Issues a token and says what was really granted: roles that would widen it are dropped by the server without a word. */
export function GetToken() {
  const { search } = useScreen();
  const can = useCan();
  const users = useList('users').data?.rows;
  const roles = useList('roles').data?.rows;
  const [user, setUser] = useState(search.user ?? can.user);
  const [wantedRoles, setWantedRoles] = useState<string[]>([]);
  const [lifetime, setLifetime] = useState('3600');
  const [seconds, setSeconds] = useState('3600');
  const [claim, setClaim] = useState<Claim>();
  const issue = useMutation({
    // An issued token is not kept longer than this card shows it.
    gcTime: 0,
    mutationFn: async (wish: TokenWish) => ({ wish, issued: await issueToken(wish) }),
  });
  const ttl = Number(lifetime === OTHER ? seconds : lifetime);
  const ttlFault = Number.isInteger(ttl) && ttl >= 1 ? undefined : 'A whole number of seconds, 1 or more';
  const wish: TokenWish = { user, roles: wantedRoles, ttl, claim };
  const locked = can.locked('users', 'token', user);
  const ready = user !== '' && ttlFault === undefined && !issue.isPending;
  return (
    <Card
      title="Get a token"
      aside={<CopyCurl text={curlOf(location.origin, { method: 'GET', path: tokenPath(wish) })} />}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && locked === undefined) issue.mutate(wish);
        }}
      >
        <Stack gap={12}>
          <Autocomplete
            label="User"
            value={user}
            onChange={setUser}
            data={users?.map((known) => known.Name) ?? []}
            limit={40}
            spellCheck={false}
          />
          <TagsInput
            label="Roles"
            description="Left empty, the token may do all the user may, its own-user claim included"
            value={wantedRoles}
            onChange={(typed) => setWantedRoles(namesOf(typed))}
            data={roles?.map((role) => role.Name) ?? []}
            limit={40}
            splitChars={[',']}
            clearable
            clearButtonProps={{ 'aria-label': 'Remove all roles' }}
          />
          <Group gap={12} grow align="start">
            <Select
              label="Lifetime"
              value={lifetime}
              onChange={(value) => value && setLifetime(value)}
              allowDeselect={false}
              data={[
                ...LIFETIMES.map((each) => ({ value: String(each), label: duration(each) })),
                { value: OTHER, label: 'Other' },
              ]}
            />
            {lifetime === OTHER ? (
              <TextInput
                label="Seconds"
                inputMode="numeric"
                value={seconds}
                error={ttlFault}
                description={ttlFault ? undefined : duration(ttl)}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                onChange={(event) => setSeconds(event.currentTarget.value.trim())}
              />
            ) : null}
          </Group>
          <Switch
            label="Only one claim"
            description="Narrows the token further, to what this claim and the roles both allow"
            checked={claim !== undefined}
            onChange={(event) => setClaim(event.currentTarget.checked ? ANY_CLAIM : undefined)}
          />
          {claim ? <ClaimFields claim={claim} onChange={setClaim} /> : null}
          {issue.error ? <ErrorNotice error={issue.error} announce /> : null}
          <Group justify="space-between" gap={8}>
            <p className="hint">Machine tokens are made by templates only.</p>
            <GuardedButton
              type="submit"
              variant="filled"
              locked={locked ?? (user === '' ? 'Name a user' : ttlFault)}
              loading={issue.isPending}
            >
              Get token
            </GuardedButton>
          </Group>
        </Stack>
      </form>
      {issue.data ? (
        <section aria-label="Issued token" aria-live="polite" data-testid="issued-token">
          <Granted wish={issue.data.wish} issued={issue.data.issued} knownRoles={roles?.map((role) => role.Name)} />
          <Group gap={8} align="end" mt={12}>
            <PasswordInput
              label="Token"
              description="Whoever has it may do the above. Rotating the user's Secret ends it."
              style={{ flex: 1 }}
              readOnly
              autoComplete="off"
              value={issue.data.issued.token}
            />
            <CopyButton text={issue.data.issued.token} label="Copy token" />
            <Button size="compact-sm" onClick={() => issue.reset()}>
              Forget
            </Button>
          </Group>
        </section>
      ) : null}
    </Card>
  );
}
