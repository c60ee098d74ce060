import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CreateDialog } from '../common/CreateDialog.tsx';
import { DescriptionField, NameField } from '../common/NameFields.tsx';

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
      <NameField value={name} onChange={setName} />
      <TextInput
        label="Provider"
        required
        withAsterisk={false}
        spellCheck={false}
        value={provider}
        onChange={(event) => setProvider(event.currentTarget.value)}
      />
      <DescriptionField value={description} onChange={setDescription} />
    </CreateDialog>
  );
}
