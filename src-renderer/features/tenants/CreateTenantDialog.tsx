import { useState } from 'react';
import { CreateDialog } from '../common/CreateDialog.tsx';
import { DescriptionField, NameField } from '../common/NameFields.tsx';

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
      <NameField value={name} onChange={setName} />
      <DescriptionField value={description} onChange={setDescription} />
      <p>Users and visible objects are chosen in the panel that opens.</p>
    </CreateDialog>
  );
}
