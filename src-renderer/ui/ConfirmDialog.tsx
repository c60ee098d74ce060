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
  /** `accent` for what is wide but destroys nothing. */
  readonly tone?: 'danger' | 'accent';
  /** What the other button says, where "Cancel" could be taken for the act. */
  readonly keep?: string;
  /** There is nothing to confirm yet. */
  readonly locked?: boolean;
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

function ConfirmBody(props: ConfirmDialogProps) {
  const { children, action, typeName, tone = 'danger', keep = 'Cancel', locked, busy, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const ready = !locked && (typeName === undefined || typed.trim() === typeName);
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
          {keep}
        </Button>
        <Button type="submit" variant="filled" color={tone} loading={busy} disabled={!ready}>
          <span className="cut">{action}</span>
        </Button>
      </Group>
    </form>
  );
}
