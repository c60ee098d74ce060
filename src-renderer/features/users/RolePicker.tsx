import { MultiSelect } from '@mantine/core';
import { useList } from '../../api/queries.ts';

interface RolePickerProps {
  readonly value: readonly string[];
  readonly onChange: (roles: string[]) => void;
  /** Why it cannot be changed. */
  readonly locked?: string | undefined;
}

/** Roles by name, in order. A name that points to no role stays visible, so that nobody removes it unseen. */
export function RolePicker({ value, onChange, locked }: RolePickerProps) {
  const roles = useList('roles').data?.rows ?? [];
  const names = roles.map((role) => role.Name);
  const missing = value.filter((name) => !names.includes(name));
  return (
    <MultiSelect
      label="Roles"
      description={locked}
      placeholder={value.length === 0 ? 'none: may only read itself and change its password' : ''}
      data={[
        ...names,
        ...missing.map((name) => ({ value: name, label: roles.length === 0 ? name : `${name} (does not exist)` })),
      ]}
      value={[...value]}
      onChange={onChange}
      readOnly={locked !== undefined}
      searchable
      nothingFoundMessage="No such role"
      clearButtonProps={{ 'aria-label': 'Remove all roles' }}
    />
  );
}
