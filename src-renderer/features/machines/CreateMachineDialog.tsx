import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateDialog } from '../common/CreateDialog.tsx';
import { DescriptionField, NameField } from '../common/NameFields.tsx';

export function CreateMachineDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [description, setDescription] = useState('');
  return (
    <CreateDialog
      prefix="machines"
      title="New machine"
      body={
        name.trim() === ''
          ? undefined
          : {
              Name: name.trim(),
              Description: description,
              Meta: {},
              ...(address.trim() === '' ? {} : { Address: address.trim() }),
            }
      }
      onClose={onClose}
    >
      <NameField
        value={name}
        onChange={setName}
        description="By convention the full host name"
        placeholder="srv-0001.lab.example"
      />
      <TextInput
        label="Address"
        placeholder="none"
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <DescriptionField value={description} onChange={setDescription} />
    </CreateDialog>
  );
}
