import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../api/types.ts';
import { CreateDialog } from '../common/CreateDialog.tsx';

/** A new role starts without claims, or with those of the role it is cloned from; the panel edits them. */
export function CreateRoleDialog({ copyOf, onClose }: { copyOf?: Role; onClose: () => void }) {
  const [name, setName] = useState(copyOf ? `${copyOf.Name}-copy` : '');
  const [description, setDescription] = useState(copyOf?.Description ?? '');
  return (
    <CreateDialog
      prefix="roles"
      title={copyOf ? `Clone of ${copyOf.Name}` : 'New role'}
      body={
        name.trim() === ''
          ? undefined
          : { Name: name.trim(), Description: description, Claims: copyOf ? copyOf.Claims : [] }
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
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <p>
        {copyOf
          ? `Takes over ${copyOf.Claims.length === 1 ? '1 claim' : `${copyOf.Claims.length} claims`}.`
          : 'You add its claims in the panel that opens.'}
      </p>
    </CreateDialog>
  );
}
