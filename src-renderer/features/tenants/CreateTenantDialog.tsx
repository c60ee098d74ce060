import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateDialog } from '../common/CreateDialog.tsx';

/** A new tenant restricts nothing until its panel names kinds of object. */
export function CreateTenantDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  return (
    <CreateDialog
      prefix="tenants"
      title="New tenant"
      body={name.trim() === '' ? undefined : { Name: name.trim(), Description: description }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Cannot be changed later"
        required
        withAsterisk={false}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <p>Users and visible objects are chosen in the panel that opens.</p>
    </CreateDialog>
  );
}
