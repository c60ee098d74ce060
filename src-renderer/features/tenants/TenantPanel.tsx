import { ActionIcon, Menu, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { IconDots, IconTrash, IconX } from '@tabler/icons-react';
import { useList } from '../../api/queries.ts';
import type { Tenant } from '../../api/types.ts';
import { Section } from '../../ui/Panel.tsx';
import { EditorPanel, type FormContext, StoredChips } from '../common/EditorPanel.tsx';
import { byName, withMembers, withoutScope, withScope } from './members.ts';
import classes from './TenantPanel.module.css';

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
  const restricted = Object.keys(tenant.Members).sort(byName);
  const free = SCOPES.filter((scope) => !restricted.includes(scope));
  return (
    <>
      <Section title="General">
        <TextInput
          label="Description"
          description={locked}
          value={tenant.Description}
          readOnly={readOnly}
          onChange={(event) => editor.set('Description', event.currentTarget.value)}
        />
      </Section>
      <Section title="Users">
        <MultiSelect
          label="Users of this tenant"
          description="A user is in at most one tenant"
          data={[...new Set([...users, ...tenant.Users])]}
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
            onRemove={() => editor.set('Members', withoutScope(tenant.Members, scope))}
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

interface ScopeMembersProps {
  readonly scope: string;
  readonly ids: readonly string[];
  readonly readOnly: boolean;
  readonly onChange: (ids: string[]) => void;
  readonly onRemove: () => void;
}

function ScopeMembers({ scope, ids, readOnly, onChange, onRemove }: ScopeMembersProps) {
  return (
    <div className={classes['scope']}>
      <TagsInput
        className={classes['ids'] ?? ''}
        label={scope}
        description={ids.length === 1 ? '1 visible' : `${ids.length} visible`}
        placeholder={readOnly ? '' : 'Identifier, then Enter; pasted lists are split at commas'}
        splitChars={[',', ' ', '\n']}
        value={[...ids]}
        readOnly={readOnly}
        onChange={onChange}
      />
      {readOnly ? null : (
        <ActionIcon aria-label={`Stop restricting ${scope}`} title={`Stop restricting ${scope}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

function TenantMenu({ editor, can, onDelete }: FormContext<'tenants'> & { onDelete: (tenant: Tenant) => void }) {
  const { Name } = editor.stored;
  const locked = can.locked('tenants', 'delete', Name);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${Name}`}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          color="danger"
          leftSection={<IconTrash size={15} aria-hidden />}
          disabled={locked !== undefined}
          title={locked}
          onClick={() => onDelete(editor.stored)}
        >
          Delete tenant
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
