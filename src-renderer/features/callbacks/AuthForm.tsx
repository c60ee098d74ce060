import { Autocomplete, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Json, JsonObject } from '../../../src-main/kit/json.ts';
import classes from './CallbackForm.module.css';
import { textOf, withField } from './callback-fields.ts';
import { type FieldsProps, Schedule } from './Schedule.tsx';

const TYPES = [
  { value: 'basic', label: 'Name and password' },
  { value: 'json-token', label: 'Token service' },
  { value: 'exec', label: 'Program' },
];

/** One entry of `callback/auths`; only the fields of its type are shown, the others keep what they hold. */
export function AuthForm(props: FieldsProps) {
  const { value, onChange, readOnly } = props;
  const type = textOf(value, 'AuthType');
  const label = useId();
  const unknown = !TYPES.some((known) => known.value === type);
  return (
    <div className="fields">
      <div>
        <p className={classes['label']} id={label}>
          Kind
        </p>
        <SegmentedControl
          size="xs"
          aria-labelledby={label}
          readOnly={readOnly}
          value={type}
          data={unknown ? [...TYPES, { value: type, label: type === '' ? 'not chosen' : `${type} (unknown)` }] : TYPES}
          onChange={(next) => onChange(withField(value, 'AuthType', next))}
        />
      </div>
      {type === 'basic' ? <Basic {...props} /> : null}
      {type === 'json-token' ? <TokenService {...props} /> : null}
      {type === 'exec' ? <Program {...props} /> : null}
    </div>
  );
}

/** A text field that is not stored while it is empty. */
function bind({ value, onChange, readOnly }: FieldsProps, name: string) {
  return {
    value: textOf(value, name),
    readOnly,
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      onChange(withField(value, name, event.currentTarget.value === '' ? undefined : event.currentTarget.value)),
  } as const;
}

function missing(value: JsonObject, name: string): string | undefined {
  return textOf(value, name).trim() === '' ? `${name} is missing` : undefined;
}

function Basic(props: FieldsProps) {
  return (
    <>
      <TextInput label="Username" error={missing(props.value, 'Username')} {...bind(props, 'Username')} />
      <PasswordInput label="Password" {...bind(props, 'Password')} autoComplete="new-password" />
    </>
  );
}

function Program(props: FieldsProps) {
  return (
    <TextInput
      label="Path"
      description="Runs on this computer as the account of the service; what it prints, trimmed, is the token"
      placeholder="/usr/local/bin/get-token"
      error={missing(props.value, 'Path')}
      {...bind(props, 'Path')}
    />
  );
}

function TokenService(props: FieldsProps) {
  const { value, onChange, readOnly } = props;
  const set = (name: string, next: Json | undefined) => onChange(withField(value, name, next));
  return (
    <>
      <TextInput
        label="Url"
        description="Asked for the token. Url, Query and Data are sent as they stand here: no templates"
        placeholder="https://login.example/token"
        error={missing(value, 'Url')}
        {...bind(props, 'Url')}
      />
      <div className={classes['pair']}>
        <Autocomplete
          label="Method"
          placeholder={textOf(value, 'Data') === '' ? 'GET' : 'POST'}
          data={['GET', 'POST', 'PUT']}
          readOnly={readOnly}
          value={textOf(value, 'Method')}
          onChange={(method) => set('Method', method === '' ? undefined : method)}
        />
        <PasswordInput label="Query" {...bind(props, 'Query')} />
      </div>
      <PasswordInput label="Data" {...bind(props, 'Data')} />
      <div className={classes['pair']}>
        <TextInput
          label="TokenField"
          placeholder="access_token"
          error={missing(value, 'TokenField')}
          {...bind(props, 'TokenField')}
        />
        <TextInput label="DurationField" placeholder="none" {...bind(props, 'DurationField')} />
      </div>
      <p className="hint">
        TokenField names the token in the answer; DurationField the seconds it is kept. Without DurationField it is
        fetched for every callback.
      </p>
      <Schedule {...props} />
    </>
  );
}
