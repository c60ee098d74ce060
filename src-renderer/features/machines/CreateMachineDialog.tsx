import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateDialog } from '../common/CreateDialog.tsx';

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
      <TextInput
        label="Name"
        description="By convention the full host name"
        placeholder="srv-0001.lab.example"
        required
        withAsterisk={false}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Address"
        placeholder="none"
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </CreateDialog>
  );
}
