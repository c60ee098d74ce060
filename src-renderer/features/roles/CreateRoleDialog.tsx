import { useState } from 'react';
import type { Role } from '../../api/types.ts';
import { CreateDialog } from '../common/CreateDialog.tsx';
import { DescriptionField, NameField } from '../common/NameFields.tsx';

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
      <NameField value={name} onChange={setName} />
      <DescriptionField value={description} onChange={setDescription} />
      <p>
        {copyOf
          ? `Takes over ${copyOf.Claims.length === 1 ? '1 claim' : `${copyOf.Claims.length} claims`}.`
          : 'You add its claims in the panel that opens.'}
      </p>
    </CreateDialog>
  );
}
