import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateDialog } from '../common/CreateDialog.tsx';

export function CreatePluginDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [provider, setProvider] = useState('callback');
  const [description, setDescription] = useState('');
  const ready = name.trim() !== '' && provider.trim() !== '';
  return (
    <CreateDialog
      prefix="plugins"
      title="New plugin instance"
      body={
        ready
          ? {
              Name: name.trim(),
              Provider: provider.trim(),
              Description: description,
              // The provider demands the map; empty, the instance is valid and knows no action yet.
              Params: provider.trim() === 'callback' ? { 'callback/callbacks': {} } : {},
            }
          : undefined
      }
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
        label="Provider"
        required
        withAsterisk={false}
        spellCheck={false}
        value={provider}
        onChange={(event) => setProvider(event.currentTarget.value)}
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </CreateDialog>
  );
}
