import type { Tenant } from '../../api/types.ts';
import { DeleteDialog } from '../common/DeleteDialog.tsx';
import { membersText } from './members.ts';

export function DeleteTenantDialog({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  return (
    <DeleteDialog prefix="tenants" objectKey={tenant.Name} name={tenant.Name} onClose={onClose}>
      <p>It restricts {membersText(tenant.Members)}.</p>
      {tenant.Users.length === 0 ? (
        <p>No user is in it.</p>
      ) : (
        <p>
          {tenant.Users.length === 1 ? '1 user is in it' : `${tenant.Users.length} users are in it`}; the server refuses
          while that is so: {tenant.Users.slice(0, 20).join(', ')}
        </p>
      )}
    </DeleteDialog>
  );
}
