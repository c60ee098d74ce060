import { IconBuildingCommunity } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan } from '../../api/can.ts';
import type { Tenant } from '../../api/types.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { LicenseBanner } from '../common/LicenseBanner.tsx';
import { ListScreen } from '../common/ListScreen.tsx';
import { CreateTenantDialog } from './CreateTenantDialog.tsx';
import { DeleteTenantDialog } from './DeleteTenantDialog.tsx';
import { membersText } from './members.ts';
import { TenantPanel } from './TenantPanel.tsx';

const COLUMNS: readonly Column<Tenant>[] = [
  { id: 'Name', header: 'Name', width: 'minmax(150px, 1.2fr)', value: (tenant) => tenant.Name },
  { id: 'Users', header: 'Users', width: 'minmax(80px, 0.6fr)', value: (tenant) => tenant.Users.length },
  {
    id: 'Members',
    header: 'Restricted to',
    width: 'minmax(160px, 1.8fr)',
    value: (tenant) => membersText(tenant.Members),
  },
  {
    id: 'Description',
    header: 'Description',
    width: 'minmax(140px, 1.6fr)',
    from: 620,
    value: (tenant) => tenant.Description,
  },
];

export function TenantsScreen() {
  const can = useCan();
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Tenant>();
  return (
    <>
      <ListScreen
        prefix="tenants"
        title="Tenants"
        icon={IconBuildingCommunity}
        columns={COLUMNS}
        about="A tenant limits what its users see, for each kind of object it names. Users without a tenant see everything, subject to their roles."
        newLabel="New tenant"
        onNew={() => setCreating(true)}
        onDelete={setDeleting}
        banner={<LicenseBanner locked={can.locked('tenants', 'create')} what="Tenants" />}
        panel={(key, close) => <TenantPanel key={key} name={key} onClose={close} onDelete={setDeleting} />}
      />
      {creating ? <CreateTenantDialog onClose={() => setCreating(false)} /> : null}
      {deleting ? <DeleteTenantDialog tenant={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  );
}
