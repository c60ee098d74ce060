import { draftNames, useDrafts } from '../api/drafts.ts';
import { signOut } from '../api/session.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';

/** Signing out takes unsaved drafts with it: the next user of this window must not find them. */
export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const drafts = draftNames(useDrafts((state) => state.byObject));
  return (
    <ConfirmDialog
      opened
      title="Sign out?"
      action="Sign out and discard"
      keep="Stay"
      busy={false}
      onConfirm={() => void signOut()}
      onClose={onClose}
    >
      <p>{drafts.length === 1 ? '1 unsaved draft goes:' : `${drafts.length} unsaved drafts go:`}</p>
      <ul>
        {drafts.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
