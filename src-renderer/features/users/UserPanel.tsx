import { IconKey, IconPassword } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { roleCovers } from '../../../src-main/contract/claims/index.ts';
import { useCan } from '../../api/can.ts';
import { useList } from '../../api/queries.ts';
import type { Role, User } from '../../api/types.ts';
import { linkTo } from '../../paths.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Facts, Section } from '../../ui/Panel.tsx';
import { EditorPanel, FaultNotice, type FormContext, StoredChips } from '../common/EditorPanel.tsx';
import { DescriptionField } from '../common/NameFields.tsx';
import { ObjectMenu } from '../common/ObjectMenu.tsx';
import { OwnPasswordDialog } from '../common/OwnPasswordDialog.tsx';
import { EffectiveClaims } from './EffectiveClaims.tsx';
import { RolePicker } from './RolePicker.tsx';
import { RotateSecretDialog } from './RotateSecretDialog.tsx';
import { SetPasswordDialog } from './SetPasswordDialog.tsx';
import { tenantOf } from './tenant-of.ts';
import { useTenantReader } from './use-tenant-reader.ts';

interface UserPanelProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDelete: (user: User) => void;
}

const WITHOUT_NAME = {
  none: 'none: sees everything, subject to roles',
  hidden: 'not visible to you',
  unread: 'not read yet',
} as const;

type Open = 'password' | 'secret' | undefined;

export function UserPanel({ name, onClose, onDelete }: UserPanelProps) {
  const [open, setOpen] = useState<Open>();
  return (
    <>
      <EditorPanel
        prefix="users"
        objectKey={name}
        onClose={onClose}
        secretFields={['/Secret']}
        jsonNote="PasswordHash is write-only (scrypt) and never sent here; Secret is masked."
        chips={({ editor }) => <StoredChips value={editor.stored} />}
        actions={(context) => <UserMenu {...context} onOpen={setOpen} onDelete={onDelete} />}
        form={(context) => <UserForm {...context} onOpen={setOpen} />}
        extraTabs={[
          { id: 'access', label: 'Access', content: ({ editor }) => <EffectiveClaims user={editor.value} /> },
        ]}
      />
      {open === 'password' ? <PasswordDialog name={name} onClose={() => setOpen(undefined)} /> : null}
      {open === 'secret' ? <RotateSecretDialog name={name} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}

function UserForm({ editor, can, locked, onOpen }: FormContext<'users'> & { onOpen: (open: Open) => void }) {
  const user = editor.value;
  const roles = useList('roles').data?.rows;
  const reader = useTenantReader();
  const seen = reader.tenants?.find((t) => t.Users.includes(user.Name));
  const tenant = tenantOf(user.Name, seen?.Name, reader);
  const redundant = roles ? redundantRoles(user.Roles, roles) : [];
  return (
    <>
      <FaultNotice errors={editor.stored.Errors} />
      <Section title="General">
        <DescriptionField
          value={user.Description}
          locked={locked}
          onChange={(text) => editor.set('Description', text)}
        />
      </Section>
      <Section title="Access">
        <RolePicker value={user.Roles} locked={locked} onChange={(names) => editor.set('Roles', names)} />
        {redundant.map(({ role, within }) => (
          <p key={role} className="hint">
            {role} is contained in {within}.
          </p>
        ))}
        <div style={{ height: 12 }} />
        <Facts
          rows={[
            {
              label: 'Tenant',
              value:
                tenant.kind === 'named' ? (
                  <Link {...linkTo('tenants', tenant.name)}>{tenant.name}</Link>
                ) : (
                  WITHOUT_NAME[tenant.kind]
                ),
            },
            { label: 'Always allowed', value: 'Get itself, change its password, get a token for itself' },
          ]}
        />
      </Section>
      <Section title="Sign-in">
        <Facts
          rows={[
            {
              label: 'Password',
              value: (
                <GuardedButton
                  size="compact-sm"
                  leftSection={<IconPassword size={15} aria-hidden />}
                  locked={can.locked('users', 'password', user.Name)}
                  onClick={() => onOpen('password')}
                >
                  Set a new password
                </GuardedButton>
              ),
            },
            {
              label: 'Secret',
              value: (
                <GuardedButton
                  size="compact-sm"
                  leftSection={<IconKey size={15} aria-hidden />}
                  locked={can.locked('users', 'update:/Secret', user.Name)}
                  onClick={() => onOpen('secret')}
                >
                  Invalidate all tokens
                </GuardedButton>
              ),
            },
          ]}
        />
      </Section>
    </>
  );
}

/** Roles that another role of the same user already contains; shown, never removed by themselves. */
function redundantRoles(names: readonly string[], roles: readonly Role[]) {
  const held = roles.filter((role) => names.includes(role.Name));
  return held.flatMap((role) => {
    const wider = held.find(
      (other) =>
        other.Name !== role.Name && roleCovers(other.Claims, role.Claims) && !roleCovers(role.Claims, other.Claims),
    );
    return wider ? [{ role: role.Name, within: wider.Name }] : [];
  });
}

interface UserMenuProps extends FormContext<'users'> {
  readonly onOpen: (open: Open) => void;
  readonly onDelete: (user: User) => void;
}

function UserMenu({ editor, can, onOpen, onDelete }: UserMenuProps) {
  const { Name } = editor.stored;
  return (
    <ObjectMenu
      name={Name}
      actions={[
        {
          label: 'Set a new password',
          icon: IconPassword,
          locked: can.locked('users', 'password', Name),
          onClick: () => onOpen('password'),
        },
        {
          label: 'Invalidate all tokens',
          icon: IconKey,
          locked: can.locked('users', 'update:/Secret', Name),
          onClick: () => onOpen('secret'),
        },
      ]}
      remove={{
        label: 'Delete user',
        locked: can.locked('users', 'delete', Name),
        onClick: () => onDelete(editor.stored),
      }}
    />
  );
}

/** One's own password signs in again by itself; somebody else's does not touch this session. */
function PasswordDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { user } = useCan();
  return user === name ? (
    <OwnPasswordDialog user={name} onClose={onClose} />
  ) : (
    <SetPasswordDialog user={name} onClose={onClose} />
  );
}
