import { IconShieldCheck } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useCan } from '../../api/can.ts';
import { useList } from '../../api/queries.ts';
import type { Role, User } from '../../api/types.ts';
import { Chip } from '../../ui/Chip.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { LicenseBanner } from '../common/LicenseBanner.tsx';
import { ListScreen } from '../common/ListScreen.tsx';
import { CreateRoleDialog } from './CreateRoleDialog.tsx';
import { DeleteRoleDialog } from './DeleteRoleDialog.tsx';
import { RolePanel } from './RolePanel.tsx';

export function RolesScreen() {
  const can = useCan();
  const users = useList('users').data?.rows;
  const holders = useMemo(() => holdersByRole(users), [users]);
  const [creating, setCreating] = useState<{ copyOf?: Role }>();
  const [deleting, setDeleting] = useState<Role>();
  const columns = useMemo<readonly Column<Role>[]>(
    () => [
      {
        id: 'Name',
        header: 'Name',
        width: 'minmax(160px, 1.4fr)',
        value: (role) => role.Name,
        cell: (role) => (
          <>
            {role.Name} {role.ReadOnly ? <Chip tone="locked">Built in</Chip> : null}
          </>
        ),
      },
      { id: 'Claims', header: 'Claims', width: 'minmax(80px, 0.5fr)', value: (role) => role.Claims.length },
      {
        id: 'Users',
        header: 'Users',
        width: 'minmax(80px, 0.5fr)',
        value: (role) => (holders === undefined ? '' : (holders.get(role.Name) ?? 0)),
      },
      {
        id: 'Description',
        header: 'Description',
        width: 'minmax(140px, 2fr)',
        from: 560,
        value: (role) => role.Description,
      },
    ],
    [holders],
  );
  return (
    <>
      <ListScreen
        prefix="roles"
        title="Roles & Claims"
        icon={IconShieldCheck}
        columns={columns}
        about="A role is a named list of claims; a user may do what the claims of its roles allow."
        newLabel="New role"
        onNew={() => setCreating({})}
        onDelete={setDeleting}
        banner={<LicenseBanner locked={can.locked('roles', 'create')} what="Roles" />}
        panel={(key, close) => (
          <RolePanel
            key={key}
            name={key}
            onClose={close}
            onDelete={setDeleting}
            onClone={(role) => setCreating({ copyOf: role })}
          />
        )}
      />
      {creating ? <CreateRoleDialog {...creating} onClose={() => setCreating(undefined)} /> : null}
      {deleting ? <DeleteRoleDialog role={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  );
}

/** How many users hold each role; undefined when users cannot be read. */
function holdersByRole(users: readonly User[] | undefined): ReadonlyMap<string, number> | undefined {
  if (!users) return undefined;
  const count = new Map<string, number>();
  for (const user of users) for (const role of new Set(user.Roles)) count.set(role, (count.get(role) ?? 0) + 1);
  return count;
}
