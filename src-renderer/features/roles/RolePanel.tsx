import { IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { roleCovers } from '../../../src-main/contract/claims/index.ts';
import { useList } from '../../api/queries.ts';
import type { Role } from '../../api/types.ts';
import { linkTo } from '../../paths.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Facts, Section } from '../../ui/Panel.tsx';
import { EditorPanel, type FormContext, StoredChips } from '../common/EditorPanel.tsx';
import { DescriptionField } from '../common/NameFields.tsx';
import { ObjectMenu } from '../common/ObjectMenu.tsx';
import { ClaimsEditor } from './ClaimsEditor.tsx';

interface RolePanelProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDelete: (role: Role) => void;
  readonly onClone: (role: Role) => void;
}

export function RolePanel({ name, onClose, onDelete, onClone }: RolePanelProps) {
  return (
    <EditorPanel
      prefix="roles"
      objectKey={name}
      onClose={onClose}
      chips={({ editor }) => <StoredChips value={editor.stored} />}
      actions={(context) => <RoleMenu {...context} onDelete={onDelete} onClone={onClone} />}
      form={(context) => <RoleForm {...context} />}
      extraTabs={[{ id: 'contains', label: 'Contains', content: ({ editor }) => <Containment role={editor.value} /> }]}
    />
  );
}

function RoleForm({ editor, locked }: FormContext<'roles'>) {
  const role = editor.value;
  const holders = useList('users').data?.rows.filter((user) => user.Roles.includes(role.Name));
  return (
    <>
      <Section title="General">
        <DescriptionField
          value={role.Description}
          locked={locked}
          onChange={(text) => editor.set('Description', text)}
        />
      </Section>
      <Section
        title={role.Claims.length === 1 ? '1 claim' : `${role.Claims.length} claims`}
        aside={<CopyButton text={JSON.stringify(role.Claims, null, 2)} label="Copy as JSON" />}
      >
        <ClaimsEditor
          role={role.Name}
          claims={role.Claims}
          locked={locked}
          onChange={(claims) => editor.set('Claims', [...claims])}
        />
      </Section>
      <Section title="Used by">
        {holders === undefined ? (
          <p className="hint">Users are not readable for you.</p>
        ) : holders.length === 0 ? (
          <p className="hint">No user holds this role.</p>
        ) : (
          <ul className="links">
            {holders.map((user) => (
              <li key={user.Name}>
                <Link {...linkTo('users', user.Name)}>{user.Name}</Link>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

/** Which roles contain this one and which it contains, by the rule of the server: claim by claim, nothing added up. */
function Containment({ role }: { role: Role }) {
  const others = useList('roles').data?.rows.filter((other) => other.Name !== role.Name) ?? [];
  const within = others.filter((other) => roleCovers(other.Claims, role.Claims)).map((other) => other.Name);
  const contains = others.filter((other) => roleCovers(role.Claims, other.Claims)).map((other) => other.Name);
  return (
    <Facts
      rows={[
        { label: 'Contained in', value: within.join(', ') || 'no other role' },
        { label: 'Contains', value: contains.join(', ') || 'no other role' },
      ]}
    />
  );
}

interface RoleMenuProps extends FormContext<'roles'> {
  readonly onDelete: (role: Role) => void;
  readonly onClone: (role: Role) => void;
}

function RoleMenu({ editor, can, onDelete, onClone }: RoleMenuProps) {
  const role = editor.stored;
  return (
    <ObjectMenu
      name={role.Name}
      actions={[
        { label: 'Clone', icon: IconCopy, locked: can.locked('roles', 'create'), onClick: () => onClone(role) },
      ]}
      remove={{
        label: 'Delete role',
        locked: role.ReadOnly ? 'Built in' : can.locked('roles', 'delete', role.Name),
        onClick: () => onDelete(role),
      }}
    />
  );
}
