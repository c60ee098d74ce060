import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../src-main/kit/json.ts';
import { api } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { keyOf, NOUN, type ObjectOf, type Prefix } from '../../api/types.ts';
import { notify } from '../../ui/snackbars.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { useScreen } from './use-screen.ts';
import { useSingleFlight } from './use-single-flight.ts';

interface CreateDialogProps<P extends Prefix> {
  readonly prefix: P;
  readonly title: string;
  /** What is sent; undefined while the form cannot be sent yet. */
  readonly body: JsonObject | undefined;
  /** Runs between the create and the closing; its error stays in the dialog and a second press runs only this. */
  readonly afterCreate?: (created: ObjectOf<P>) => Promise<unknown>;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** A form for a new object; opens the object's panel when it exists. */
export function CreateDialog<P extends Prefix>(props: CreateDialogProps<P>) {
  const { prefix, body, afterCreate, onClose } = props;
  const cache = useQueryClient();
  const { update } = useScreen();
  const create = useMutation({
    mutationFn: async (draft: JsonObject) => (await api.create(prefix, draft)).value,
    onSuccess: (created) => void cache.invalidateQueries({ queryKey: keys.list(prefix) }).then(() => created),
  });
  const finish = useMutation({ mutationFn: async (created: ObjectOf<P>) => afterCreate?.(created) });
  const submit = useSingleFlight(async () => {
    if (!body) return;
    try {
      const created = create.data ?? (await create.mutateAsync(body));
      await finish.mutateAsync(created);
      onClose();
      update({ sel: keyOf(prefix, created), tab: undefined, q: undefined });
      notify(`${NOUN[prefix].one.replace(/^./, (c) => c.toUpperCase())} ${created.Name} created`);
    } catch {
      // Both mutations keep their error, and the dialog shows it.
    }
  });
  const error = create.error ?? finish.error;
  return (
    <Modal opened onClose={onClose} title={props.title} size={520}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap={14}>
          {error ? <ErrorNotice error={error} announce /> : null}
          {props.children}
          <Group justify="flex-end" gap={8} mt={4}>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" disabled={!body} loading={create.isPending || finish.isPending}>
              Create {NOUN[prefix].one}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
