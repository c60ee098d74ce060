import { TextInput } from '@mantine/core';

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The name of a new object: the first field of its dialog. */
export function NameField({
  value,
  onChange,
  description = 'Cannot be changed later',
  placeholder,
}: FieldProps & { readonly description?: string; readonly placeholder?: string }) {
  return (
    <TextInput
      label="Name"
      description={description}
      {...(placeholder === undefined ? {} : { placeholder })}
      required
      withAsterisk={false}
      data-autofocus
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function DescriptionField({ value, onChange, locked }: FieldProps & { readonly locked?: string | undefined }) {
  return (
    <TextInput
      label="Description"
      description={locked}
      value={value}
      readOnly={locked !== undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
