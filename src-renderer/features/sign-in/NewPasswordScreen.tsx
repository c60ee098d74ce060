import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queries.ts';
import { changeOwnPassword, DEFAULT_PASSWORD, signOut } from '../../api/session.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import { NewPasswordFields } from '../common/NewPasswordFields.tsx';
import { passwordFault } from '../common/password-strength.ts';
import { Frame } from './SignInScreen.tsx';

/** Forced at the first sign-in: the default password is known to everybody. */
export function NewPasswordScreen({ user }: { user: string }) {
  const cache = useQueryClient();
  const [value, setValue] = useState({ password: '', repeated: '' });
  const [tried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: () => changeOwnPassword(user, value.password),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.host }),
  });
  return (
    <Frame title="Choose a new password">
      <p>
        {user} still has the default password. Choose your own before anything else; you are signed in with it right
        away.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          const ok = passwordFault(value.password, value.repeated, DEFAULT_PASSWORD) === undefined;
          if (ok && !change.isPending) change.mutate();
        }}
      >
        {/* Password managers need the name the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user} readOnly hidden />
        <Stack gap={14}>
          {change.error ? <ErrorNotice error={change.error} announce /> : null}
          <NewPasswordFields value={value} onChange={setValue} showFaults={tried} old={DEFAULT_PASSWORD} />
          <Button type="submit" variant="filled" fullWidth loading={change.isPending} mt={4}>
            Save and continue
          </Button>
          <Button variant="subtle" color="gray" fullWidth onClick={() => void signOut()}>
            Back to sign-in
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}
