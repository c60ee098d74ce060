import { PasswordInput, Stack } from '@mantine/core';
import { FAULT_TEXT, passwordFault, strengthText } from './password-strength.ts';

interface NewPassword {
  readonly password: string;
  readonly repeated: string;
}

interface NewPasswordFieldsProps {
  readonly value: NewPassword;
  readonly onChange: (value: NewPassword) => void;
  /** Show what is still wrong: after the first try to save. */
  readonly showFaults: boolean;
  /** The password in use, where it is known. */
  readonly old?: string;
  /** Set where the fields may stay empty: says what that means. They do not take the focus then. */
  readonly optional?: string;
}

/** Two fields and a sentence on strength. */
export function NewPasswordFields({ value, onChange, showFaults, old, optional }: NewPasswordFieldsProps) {
  const fault = passwordFault(value.password, value.repeated, old);
  const shown = showFaults ? fault : undefined;
  const onFirst = shown === 'too-short' || shown === 'unchanged';
  return (
    <Stack gap={14}>
      <PasswordInput
        label="New password"
        name="new-password"
        autoComplete="new-password"
        data-autofocus={optional === undefined || undefined}
        autoFocus={optional === undefined}
        visibilityToggleButtonProps={{ 'aria-label': 'Show new password', tabIndex: 0 }}
        description={
          <span aria-live="polite">{strengthText(value.password) || (optional ?? 'At least 8 characters')}</span>
        }
        error={onFirst && shown ? FAULT_TEXT[shown] : undefined}
        value={value.password}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
      />
      <PasswordInput
        label="Repeat the new password"
        name="repeat-password"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show repeated password', tabIndex: 0 }}
        error={shown === 'differs' ? FAULT_TEXT[shown] : undefined}
        value={value.repeated}
        onChange={(event) => onChange({ ...value, repeated: event.currentTarget.value })}
      />
    </Stack>
  );
}
