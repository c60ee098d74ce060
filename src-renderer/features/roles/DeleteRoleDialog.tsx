import { useList } from '../../api/queries.ts';
import type { Role } from '../../api/types.ts';
import { DeleteDialog } from '../common/DeleteDialog.tsx';

export function DeleteRoleDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const holders = useList('users').data?.rows.filter((user) => user.Roles.includes(role.Name)) ?? [];
  return (
    <DeleteDialog prefix="roles" objectKey={role.Name} name={role.Name} onClose={onClose}>
      {holders.length === 0 ? (
        <p>
          No user holds it. Its {role.Claims.length === 1 ? '1 claim goes' : `${role.Claims.length} claims go`} with it.
        </p>
      ) : (
        <>
          <p>
            {holders.length === 1 ? '1 user holds it' : `${holders.length} users hold it`}; the server refuses while
            that is so:
          </p>
          <ul>
            {holders.slice(0, 20).map((user) => (
              <li key={user.Name}>{user.Name}</li>
            ))}
            {holders.length > 20 ? <li>and {holders.length - 20} more</li> : null}
          </ul>
        </>
      )}
    </DeleteDialog>
  );
}
