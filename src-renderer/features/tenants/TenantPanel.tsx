import { MultiSelect, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useList } from '../../api/queries.ts';
import type { Tenant } from '../../api/types.ts';
import { Section } from '../../ui/Panel.tsx';
import { EditorPanel, type FormContext, StoredChips } from '../common/EditorPanel.tsx';
import { DescriptionField } from '../common/NameFields.tsx';
import { ObjectMenu } from '../common/ObjectMenu.tsx';
import { tenantByUser } from '../common/tenant-by-user.ts';
import { byName, withMembers, withoutScope, withScope } from './members.ts';
import { ScopeMembers } from './ScopeMembers.tsx';

/** Kinds of object a tenant may restrict: the object prefixes of the API. */
const SCOPES = [
  'bootenvs',
  'jobs',
  'leases',
  'machines',
  'params',
  'plugin_providers',
  'plugins',
  'profiles',
  'reservations',
  'roles',
  'stages',
  'subnets',
  'tasks',
  'templates',
  'tenants',
  'users',
  'workflows',
] as const;

interface TenantPanelProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDelete: (tenant: Tenant) => void;
}

export function TenantPanel({ name, onClose, onDelete }: TenantPanelProps) {
  return (
    <EditorPanel
      prefix="tenants"
      objectKey={name}
      onClose={onClose}
      chips={({ editor }) => <StoredChips value={editor.stored} />}
      actions={(context) => <TenantMenu {...context} onDelete={onDelete} />}
      form={(context) => <TenantForm {...context} />}
    />
  );
}

function TenantForm({ editor, locked }: FormContext<'tenants'>) {
  const tenant = editor.value;
  const readOnly = locked !== undefined;
  const users = useList('users').data?.rows.map((user) => user.Name) ?? [];
  const tenants = useList('tenants').data?.rows;
  const tenantOf = useMemo(() => tenantByUser(tenants ?? []), [tenants]);
  const restricted = Object.keys(tenant.Members).sort(byName);
  const free = SCOPES.filter((scope) => !restricted.includes(scope));
  return (
    <>
      <Section title="General">
        <DescriptionField
          value={tenant.Description}
          locked={locked}
          onChange={(text) => editor.set('Description', text)}
        />
      </Section>
      <Section title="Users">
        <MultiSelect
          label="Users of this tenant"
          description="A user is in at most one tenant; remove it there before adding it here"
          placeholder={tenant.Users.length === 0 ? 'none' : ''}
          limit={50}
          data={[...new Set([...users, ...tenant.Users])].map((value) => {
            const other = tenantOf.get(value);
            return { value, label: other === undefined || other === tenant.Name ? value : `${value} (in ${other})` };
          })}
          value={[...tenant.Users]}
          readOnly={readOnly}
          searchable
          nothingFoundMessage="No such user"
          onChange={(next) => editor.set('Users', next)}
        />
      </Section>
      <Section title="Visible objects">
        <p className="hint">
          Only kinds listed here are restricted, to the identifiers named; all others stay fully visible. An empty list
          hides every object of its kind.
        </p>
        {restricted.map((scope) => (
          <ScopeMembers
            key={scope}
            scope={scope}
            ids={tenant.Members[scope] ?? []}
            readOnly={readOnly}
            onChange={(ids) => editor.set('Members', withMembers(tenant.Members, scope, ids))}
            onUnrestrict={() => editor.set('Members', withoutScope(tenant.Members, scope))}
          />
        ))}
        {readOnly ? null : (
          <Select
            mt={12}
            label="Restrict another kind"
            placeholder="Choose a kind of object"
            data={free}
            value={null}
            searchable
            onChange={(scope) => scope && editor.set('Members', withScope(tenant.Members, scope))}
          />
        )}
      </Section>
    </>
  );
}

function TenantMenu({ editor, can, onDelete }: FormContext<'tenants'> & { onDelete: (tenant: Tenant) => void }) {
  const { Name } = editor.stored;
  const locked = can.locked('tenants', 'delete', Name);
  return <ObjectMenu name={Name} remove={{ label: 'Delete tenant', locked, onClick: () => onDelete(editor.stored) }} />;
}
