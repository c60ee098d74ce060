import { IconUsers } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { User } from '../../api/types.ts';
import { ChipRow } from '../../ui/Chip.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { ListScreen } from '../common/ListScreen.tsx';
import { tenantByUser } from '../common/tenant-by-user.ts';
import { CreateUserDialog } from './CreateUserDialog.tsx';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { type TenantOf, tenantOf } from './tenant-of.ts';
import { UserPanel } from './UserPanel.tsx';
import { useTenantReader } from './use-tenant-reader.ts';

export function UsersScreen() {
  const reader = useTenantReader();
  const byUser = useMemo(() => tenantByUser(reader.tenants ?? []), [reader.tenants]);
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
        value: (user) => tenantText(tenantOf(user.Name, byUser.get(user.Name), reader)),
      },
      {
        id: 'Description',
        header: 'Description',
        width: 'minmax(140px, 1.6fr)',
        from: 680,
        value: (user) => user.Description,
      },
    ],
    [byUser, reader],
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

const WITHOUT_NAME = { none: 'none', hidden: 'not visible to you', unread: '' } as const;

function tenantText(tenant: TenantOf): string {
  return tenant.kind === 'named' ? tenant.name : WITHOUT_NAME[tenant.kind];
}
