import { Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useHost } from '../../api/queries.ts';
import { signIn } from '../../api/session.ts';
import { bridge } from '../../desktop/bridge.ts';
import { Notice } from '../../ui/Notice.tsx';
import { noticeOf, toneOf } from '../common/notice-of.ts';

interface SignInFormProps {
  /** Set when an open page asks again: the name is then fixed. */
  readonly user?: string;
  readonly action: string;
}

/** User and password. Pasting and password managers work; a refusal never says which part was wrong. */
export function SignInForm({ user: fixed, action }: SignInFormProps) {
  const host = useHost();
  const password = useRef<HTMLInputElement>(null);
  const [user, setUser] = useState(fixed ?? '');
  const [secret, setSecret] = useState('');
  const [remember, setRemember] = useState(false);
  const keyStore = useQuery({
    queryKey: ['key-store'],
    queryFn: () => bridge?.keyStoreAvailable() ?? false,
    staleTime: Infinity,
  });
  const enter = useMutation({
    mutationFn: () =>
      signIn({ user, password: secret, remember, defaultPassword: host.data?.defaultPassword ?? false }),
    onError: () => password.current?.select(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!enter.isPending) enter.mutate();
      }}
    >
      <Stack gap={14}>
        {enter.error ? <SignInError error={enter.error} /> : null}
        <TextInput
          label="User"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus={fixed === undefined || undefined}
          autoFocus={fixed === undefined}
          readOnly={fixed !== undefined}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <PasswordInput
          ref={password}
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={fixed !== undefined || undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        {bridge ? (
          <Checkbox
            label="Remember on this computer"
            description={
              keyStore.data ? 'Kept in the key store of the system' : 'This system has no key store, so nothing is kept'
            }
            disabled={!keyStore.data}
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
        ) : null}
        <Button type="submit" variant="filled" fullWidth loading={enter.isPending} mt={4}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}

function SignInError({ error }: { error: Error }) {
  const refused =
    error instanceof ApiError && (error.failure.kind === 'session-over' || error.failure.kind === 'denied');
  const content = refused
    ? { title: 'User name or password is wrong', lines: [], hint: 'Check both and try again.' }
    : { ...noticeOf(error), curl: undefined };
  return <Notice tone={refused ? 'danger' : toneOf(error)} content={content} announce />;
}
