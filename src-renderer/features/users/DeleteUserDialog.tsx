import { useList } from '../../api/queries.ts';
import type { User } from '../../api/types.ts';
import { DeleteDialog } from '../common/DeleteDialog.tsx';

export function DeleteUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const tenant = useList('tenants').data?.rows.find((t) => t.Users.includes(user.Name));
  return (
    <DeleteDialog prefix="users" objectKey={user.Name} name={user.Name} typeName onClose={onClose}>
      <p>This cannot be undone. With the user go:</p>
      <ul>
        <li>
          {user.Roles.length === 1 ? '1 role' : `${user.Roles.length} roles`}
          {user.Roles.length > 0 ? `: ${user.Roles.join(', ')}` : ''} (the roles themselves stay)
        </li>
        <li>{tenant ? `the membership in tenant ${tenant.Name}` : 'no tenant membership'}</li>
        <li>every token of {user.Name}</li>
      </ul>
    </DeleteDialog>
  );
}
