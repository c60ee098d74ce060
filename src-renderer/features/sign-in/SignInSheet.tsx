import { Button, Modal } from '@mantine/core';
import { signOut } from '../../api/session.ts';
import { SignInForm } from './SignInForm.tsx';

/** Over the open page when the token died: signing in again leaves everything typed where it is. */
export function SignInSheet({ user }: { user: string }) {
  return (
    <Modal
      opened
      onClose={() => {}}
      title="Your session is over"
      size={400}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p style={{ margin: '0 0 14px', fontSize: '0.8125rem', color: 'var(--pv-text-2)' }} role="alert">
        The password or the secret of {user} changed, or the session ran out. Sign in again: what you typed is kept.
      </p>
      <SignInForm user={user} action="Sign in again" />
      <Button variant="subtle" color="gray" fullWidth mt={8} onClick={() => void signOut()}>
        Sign in as someone else and discard drafts
      </Button>
    </Modal>
  );
}
