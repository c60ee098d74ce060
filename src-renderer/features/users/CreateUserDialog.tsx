import { useState } from 'react';
import { api } from '../../api/client.ts';
import { CreateDialog } from '../common/CreateDialog.tsx';
import { DescriptionField, NameField } from '../common/NameFields.tsx';
import { NewPasswordFields } from '../common/NewPasswordFields.tsx';
import { passwordFault } from '../common/password-strength.ts';
import { RolePicker } from './RolePicker.tsx';

/** Name, roles and a first password; without a password the user exists but cannot sign in yet. */
export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [roles, setRoles] = useState<string[]>([]);
  const [secret, setSecret] = useState({ password: '', repeated: '' });
  const noPassword = secret.password === '' && secret.repeated === '';
  const passwordOk = noPassword || passwordFault(secret.password, secret.repeated) === undefined;
  return (
    <CreateDialog
      prefix="users"
      title="New user"
      body={
        name.trim() !== '' && passwordOk ? { Name: name.trim(), Description: description, Roles: roles } : undefined
      }
      // The password has its own route; were it part of the create, a refused password would leave no user to repair.
      {...(noPassword ? {} : { afterCreate: (user) => api.setPassword(user.Name, secret.password) })}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
      <DescriptionField value={description} onChange={setDescription} />
      <RolePicker value={roles} onChange={setRoles} />
      <NewPasswordFields
        value={secret}
        onChange={setSecret}
        showFaults={!noPassword && secret.repeated !== ''}
        optional="Without one the user cannot sign in yet"
      />
    </CreateDialog>
  );
}
