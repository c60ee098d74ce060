import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { Notice } from '../../ui/Notice.tsx';
import { notify } from '../../ui/snackbars.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import { NewPasswordFields } from '../common/NewPasswordFields.tsx';
import { passwordFault } from '../common/password-strength.ts';

/** Somebody else's password: the effect on their tokens is said before, because it cannot be undone. */
export function SetPasswordDialog({ user, onClose }: { user: string; onClose: () => void }) {
  const cache = useQueryClient();
  const [value, setValue] = useState({ password: '', repeated: '' });
  const [tried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: () => api.setPassword(user, value.password),
    onSuccess: () => {
      onClose();
      notify(`Password of ${user} changed`);
      return cache.invalidateQueries({ queryKey: keys.all('users') });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`New password of ${user}`} size={440}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (passwordFault(value.password, value.repeated) === undefined && !change.isPending) change.mutate();
        }}
      >
        <Stack gap={14}>
          <Notice
            tone="warn"
            content={{
              title: 'This also rotates Secret',
              lines: [`All tokens of ${user} stop working: open windows and scripts have to sign in again.`],
              hint: 'It cannot be undone.',
            }}
          />
          {change.error ? <ErrorNotice error={change.error} announce /> : null}
          <NewPasswordFields value={value} onChange={setValue} showFaults={tried} />
          <Group justify="flex-end" gap={8}>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={change.isPending}>
              Set password of {user}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
