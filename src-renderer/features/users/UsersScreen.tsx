import { IconUsers } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useList } from '../../api/queries.ts';
import type { User } from '../../api/types.ts';
import { ChipRow } from '../../ui/Chip.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { ListScreen } from '../common/ListScreen.tsx';
import { tenantByUser } from '../common/tenant-by-user.ts';
import { CreateUserDialog } from './CreateUserDialog.tsx';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { UserPanel } from './UserPanel.tsx';

export function UsersScreen() {
  const tenants = useList('tenants').data?.rows;
  const tenantOf = useMemo(() => tenantByUser(tenants ?? []), [tenants]);
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<User>();
  const columns = useMemo<readonly Column<User>[]>(
    () => [
      { id: 'Name', header: 'Name', width: 'minmax(150px, 1.2fr)', value: (user) => user.Name },
      {
        id: 'Roles',
        header: 'Roles',
        width: 'minmax(140px, 1.4fr)',
        value: (user) => user.Roles.join(' '),
        cell: (user) => (user.Roles.length === 0 ? 'none: itself only' : <ChipRow names={user.Roles} />),
      },
      {
        id: 'Tenant',
        header: 'Tenant',
        width: 'minmax(120px, 1fr)',
        from: 480,
        value: (user) => tenantOf.get(user.Name) ?? 'none',
      },
      {
        id: 'Description',
        header: 'Description',
        width: 'minmax(140px, 1.6fr)',
        from: 680,
        value: (user) => user.Description,
      },
    ],
    [tenantOf],
  );
  return (
    <>
      <ListScreen
        prefix="users"
        title="Users"
        icon={IconUsers}
        columns={columns}
        about="A user signs in with a name and a password, and may do what its roles say."
        newLabel="New user"
        onNew={() => setCreating(true)}
        onDelete={setDeleting}
        panel={(key, close) => <UserPanel key={key} name={key} onClose={close} onDelete={setDeleting} />}
      />
      {creating ? <CreateUserDialog onClose={() => setCreating(false)} /> : null}
      {deleting ? <DeleteUserDialog user={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  );
}
