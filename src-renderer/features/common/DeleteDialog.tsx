import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { draftId, useDrafts } from '../../api/drafts.ts';
import { keys } from '../../api/queries.ts';
import { NOUN, type Prefix } from '../../api/types.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { notify } from '../../ui/snackbars.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { useScreen } from './use-screen.ts';

interface DeleteDialogProps {
  readonly prefix: Prefix;
  readonly objectKey: string;
  readonly name: string;
  /** What goes with it, with counts. */
  readonly children: ReactNode;
  /** Level 3: the name has to be typed. */
  readonly typeName?: boolean;
  readonly onClose: () => void;
}

/** Deleting is not undone by the screen: the dialog lists the effects first. */
export function DeleteDialog({ prefix, objectKey, name, children, typeName, onClose }: DeleteDialogProps) {
  const cache = useQueryClient();
  const { search, update } = useScreen();
  const noun = NOUN[prefix].one;
  const remove = useMutation({
    mutationFn: () => api.remove(prefix, objectKey),
    onSuccess: () => {
      useDrafts.getState().drop(draftId(prefix, objectKey));
      onClose();
      if (search.sel === objectKey) update({ sel: undefined, tab: undefined }, { replace: true });
      cache.removeQueries({ queryKey: keys.item(prefix, objectKey) });
      void cache.invalidateQueries({ queryKey: keys.list(prefix) });
      notify(`${noun.replace(/^./, (c) => c.toUpperCase())} ${name} deleted`);
    },
  });
  return (
    <ConfirmDialog
      opened
      title={`Delete ${noun} ${name}?`}
      action={`Delete ${noun} ${name}`}
      {...(typeName ? { typeName: name } : {})}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {children}
      {remove.error ? <ErrorNotice error={remove.error} announce /> : null}
    </ConfirmDialog>
  );
}
