import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** The exact effects, with counts. */
  readonly children: ReactNode;
  /** Repeats verb and object: "Delete user ana". */
  readonly action: string;
  /** Level 3: the name to type before the button works. Pasting is allowed. */
  readonly typeName?: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** For what undo cannot take back. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size={460}>
      <ConfirmBody {...props} />
    </Modal>
  );
}

function ConfirmBody({ children, action, typeName, busy, onConfirm, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const ready = typeName === undefined || typed.trim() === typeName;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) onConfirm();
      }}
    >
      {children}
      {typeName === undefined ? null : (
        <TextInput
          mt={14}
          label={
            <>
              Type <b>{typeName}</b> to confirm
            </>
          }
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end" mt={20} gap={8}>
        <Button data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" color="danger" loading={busy} disabled={!ready}>
          {action}
        </Button>
      </Group>
    </form>
  );
}
