import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  MultiSelect,
  PasswordInput,
  SegmentedControl,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { isSecretHeader } from '../../../src-main/contract/secret-names.ts';
import type { Json } from '../../../src-main/kit/json.ts';
import classes from './CallbackForm.module.css';
import {
  authsOf,
  flagOf,
  headersOf,
  type ResponseChoice,
  responseOf,
  textOf,
  textsOf,
  withAuths,
  withField,
  withResponse,
} from './callback-fields.ts';
import { type FieldsProps, Schedule } from './Schedule.tsx';

interface CallbackFormProps extends FieldsProps {
  /** Names in `callback/auths`. */
  readonly auths: readonly string[];
}

const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE', 'HEAD', 'OPTIONS'];

/** One entry of `callback/callbacks`. What is left empty is not stored and follows the default shown as placeholder. */
export function CallbackForm(props: CallbackFormProps) {
  const { value, onChange, readOnly, auths } = props;
  const set = (name: string, next: Json | undefined) => onChange(withField(value, name, next));
  const chosen = authsOf(value);
  const noBody = flagOf(value, 'NoBody');
  const decode = flagOf(value, 'Decode');
  return (
    <div className="fields">
      <Textarea
        label="Url"
        description="A template: {{.Machine.Name}}, {{.Param &quot;name&quot;}}"
        placeholder="https://cmdb.example/machines/{{.Machine.Uuid}}"
        minRows={1}
        classNames={{ input: classes['mono'] ?? '' }}
        error={textOf(value, 'Url').trim() === '' ? 'Url is missing' : undefined}
        spellCheck={false}
        readOnly={readOnly}
        value={textOf(value, 'Url')}
        onChange={(event) => set('Url', event.currentTarget.value)}
      />
      <div className={classes['pair']}>
        <Autocomplete
          label="Method"
          placeholder="POST"
          data={METHODS}
          readOnly={readOnly}
          value={textOf(value, 'Method')}
          onChange={(method) => set('Method', method === '' ? undefined : method)}
        />
        <MultiSelect
          label="Auth methods, in the order they are tried"
          placeholder={chosen.length === 0 ? 'none' : ''}
          data={[
            ...auths,
            ...chosen
              .filter((name) => !auths.includes(name))
              .map((name) => ({ value: name, label: `${name} (not in Auths)` })),
          ]}
          value={chosen}
          readOnly={readOnly}
          onChange={(names) => onChange(withAuths(value, names))}
        />
      </div>
      <Headers value={value} onChange={onChange} readOnly={readOnly} />
      <Schedule {...props} />
      <ResponseField value={value} onChange={onChange} readOnly={readOnly} />
      <Switch
        label="NoBody"
        description="Headers only; what is set below is kept and ignored"
        checked={noBody}
        disabled={readOnly}
        onChange={(event) => set('NoBody', event.currentTarget.checked || undefined)}
      />
      <div className={classes['body']} data-ignored={noBody || undefined}>
        <Switch
          label="Aggregate"
          description="Params of profiles, the stage and the global profile are added to the machine"
          checked={flagOf(value, 'Aggregate')}
          disabled={readOnly}
          onChange={(event) => set('Aggregate', event.currentTarget.checked || undefined)}
        />
        <Switch
          label="Decode"
          description="Secure params are sent in clear"
          checked={decode}
          disabled={readOnly}
          onChange={(event) => set('Decode', event.currentTarget.checked || undefined)}
        />
        {decode && !/^\s*https:/i.test(textOf(value, 'Url')) ? (
          <p className={classes['danger']}>The address is not https: secure params would cross the network readable.</p>
        ) : null}
        <TagsInput
          label="ExcludeParams"
          description="Names removed from the machine before it is sent"
          placeholder={textsOf(value, 'ExcludeParams').length === 0 ? 'none' : ''}
          splitChars={[',', ' ']}
          readOnly={readOnly}
          value={textsOf(value, 'ExcludeParams')}
          onChange={(names) => set('ExcludeParams', names.length === 0 ? undefined : names)}
        />
      </div>
    </div>
  );
}

function ResponseField({ value, onChange, readOnly }: FieldsProps) {
  const label = useId();
  const both = flagOf(value, 'JsonResponse') && flagOf(value, 'StringResponse');
  return (
    <div>
      <p className={classes['label']} id={label}>
        Answer is handed on as
      </p>
      <SegmentedControl
        size="xs"
        aria-labelledby={label}
        readOnly={readOnly}
        value={responseOf(value)}
        data={[
          { value: 'base64', label: 'Base64' },
          { value: 'json', label: 'JSON' },
          { value: 'string', label: 'String' },
        ]}
        onChange={(choice) => onChange(withResponse(value, choice as ResponseChoice))}
      />
      {both ? <p className="hint">JsonResponse and StringResponse are both stored as true: JSON wins.</p> : null}
    </div>
  );
}

function Headers({ value, onChange, readOnly }: FieldsProps) {
  const headers = headersOf(value);
  const [name, setName] = useState('');
  const write = (next: readonly (readonly [string, string])[]) =>
    onChange(withField(value, 'Headers', next.length === 0 ? undefined : Object.fromEntries(next)));
  const taken = headers.some(([known]) => known.toLowerCase() === name.trim().toLowerCase());
  const add = () => {
    if (name.trim() === '' || taken) return;
    write([...headers, [name.trim(), '']]);
    setName('');
  };
  return (
    <fieldset className={classes['headers']}>
      <legend className={classes['label']}>Headers</legend>
      {headers.length === 0 && readOnly ? <p className="hint">none of its own</p> : null}
      {headers.map(([known, text]) => {
        const Input = isSecretHeader(known) ? PasswordInput : TextInput;
        return (
          <div key={known} className={classes['header']}>
            <code>{known}</code>
            <Input
              aria-label={`Value of ${known}`}
              autoComplete="off"
              spellCheck={false}
              readOnly={readOnly}
              value={text}
              onChange={(event) =>
                write(headers.map((pair) => (pair[0] === known ? [known, event.currentTarget.value] : pair)))
              }
            />
            {readOnly ? null : (
              <ActionIcon
                aria-label={`Remove header ${known}`}
                title={`Remove header ${known}`}
                onClick={() => write(headers.filter((pair) => pair[0] !== known))}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            )}
          </div>
        );
      })}
      {readOnly ? null : (
        <Group gap={8} align="flex-start" wrap="nowrap">
          <TextInput
            className={classes['grow'] ?? ''}
            aria-label="Name of a new header"
            placeholder="X-Header"
            autoComplete="off"
            spellCheck={false}
            error={taken && name.trim() !== '' ? 'This header is there already' : undefined}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add();
            }}
          />
          <Button leftSection={<IconPlus size={14} aria-hidden />} disabled={name.trim() === '' || taken} onClick={add}>
            Add header
          </Button>
        </Group>
      )}
    </fieldset>
  );
}
