import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCan } from '../../api/can.ts';
import { api } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { notify } from '../../ui/snackbars.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';

/** An empty Secret asks the server for a fresh random one, which ends every token made with the old one. */
export function RotateSecretDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const cache = useQueryClient();
  const { user } = useCan();
  const rotate = useMutation({
    mutationFn: () => api.patch('users', name, [{ op: 'replace', path: '/Secret', value: '' }]),
    onSuccess: () => {
      onClose();
      notify(`All tokens of ${name} are invalid now`);
      return cache.invalidateQueries({ queryKey: keys.all('users') });
    },
  });
  return (
    <ConfirmDialog
      opened
      title={`Rotate Secret of ${name}?`}
      action={`Rotate Secret of ${name}`}
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        Secret gets a new random value and every existing token of {name} stops working at once.
        {user === name ? ' This includes your own session: you sign in again right after.' : ''} It cannot be undone.
      </p>
      {rotate.error ? <ErrorNotice error={rotate.error} announce /> : null}
    </ConfirmDialog>
  );
}
