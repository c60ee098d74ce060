import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeOwnPassword } from '../../api/session.ts';
import { Notice } from '../../ui/Notice.tsx';
import { notify } from '../../ui/snackbars.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { passwordFault } from './password-strength.ts';

/** Changing the own password: says what it ends, then signs in again with the new one; drafts stay. */
export function OwnPasswordDialog({ user, onClose }: { user: string; onClose: () => void }) {
  const [value, setValue] = useState({ password: '', repeated: '' });
  const [tried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: () => changeOwnPassword(user, value.password),
    onSuccess: () => {
      onClose();
      notify('Password changed; you are signed in with the new one');
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Change the password of ${user}`} size={440}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (passwordFault(value.password, value.repeated) === undefined && !change.isPending) change.mutate();
        }}
      >
        <input type="text" name="username" autoComplete="username" value={user} readOnly hidden />
        <Stack gap={14}>
          <Notice
            tone="warn"
            content={{
              title: 'This also rotates Secret',
              lines: [`All tokens of ${user} stop working. This window signs in again by itself.`],
              hint: 'It cannot be undone.',
            }}
          />
          {change.error ? <ErrorNotice error={change.error} announce /> : null}
          <NewPasswordFields value={value} onChange={setValue} showFaults={tried} />
          <Group justify="flex-end" gap={8}>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
