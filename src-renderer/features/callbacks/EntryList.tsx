import { Autocomplete, Button, Group } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { isJsonObject, type Json, type JsonObject } from '../../../src-main/kit/json.ts';
import { Disclosure, DisclosureList } from '../../ui/Disclosure.tsx';
import classes from './EntryList.module.css';

interface EntryListProps {
  /** `callback` or `auth method`. */
  readonly noun: string;
  /** The param: a map of structures by name. */
  readonly map: Json | undefined;
  readonly onChange: (map: JsonObject) => void;
  readonly readOnly: boolean;
  /** What a new entry holds. */
  readonly blank: JsonObject;
  /** Names with a meaning, offered for new entries. */
  readonly suggested?: readonly string[];
  readonly empty: string;
  readonly summary: (name: string, value: JsonObject) => ReactNode;
  readonly form: (name: string, value: JsonObject, onChange: (next: JsonObject) => void) => ReactNode;
  /** Beside Remove. */
  readonly actions?: (name: string) => ReactNode;
}

/** Named structures of a configuration, each a row that opens into its form. */
export function EntryList({ noun, map, onChange, readOnly, blank, suggested = [], ...props }: EntryListProps) {
  const [added, setAdded] = useState<string>();
  const entries = isJsonObject(map) ? Object.entries(map) : [];
  const all = isJsonObject(map) ? map : {};
  return (
    <>
      {entries.length === 0 ? <p className="hint">{props.empty}</p> : null}
      <DisclosureList>
        {entries.map(([name, value]) => (
          <li key={name}>
            {isJsonObject(value) ? (
              <Disclosure open={name === added} summary={props.summary(name, value)}>
                {props.form(name, value, (next) => onChange({ ...all, [name]: next }))}
                <Group justify="flex-end" gap={8} mt={14}>
                  {readOnly ? null : (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="danger"
                      leftSection={<IconTrash size={15} aria-hidden />}
                      onClick={() => {
                        const { [name]: _removed, ...rest } = all;
                        onChange(rest);
                      }}
                    >
                      Remove {noun}
                    </Button>
                  )}
                  {props.actions?.(name)}
                </Group>
              </Disclosure>
            ) : (
              <p className={classes['odd']}>
                <b>{name}</b> is no object; correct it on the JSON tab.
              </p>
            )}
          </li>
        ))}
      </DisclosureList>
      {readOnly ? null : (
        <NewEntry
          noun={noun}
          names={Object.keys(all)}
          suggested={suggested}
          onAdd={(name) => {
            setAdded(name);
            onChange({ ...all, [name]: blank });
          }}
        />
      )}
    </>
  );
}

interface NewEntryProps {
  readonly noun: string;
  readonly names: readonly string[];
  readonly suggested: readonly string[];
  readonly onAdd: (name: string) => void;
}

function NewEntry({ noun, names, suggested, onAdd }: NewEntryProps) {
  const [name, setName] = useState('');
  const wanted = name.trim();
  const taken = names.includes(wanted);
  const add = () => {
    if (wanted === '' || taken) return;
    onAdd(wanted);
    setName('');
  };
  return (
    <Group gap={8} mt={10} align="flex-start" wrap="nowrap">
      <Autocomplete
        className={classes['grow'] ?? ''}
        aria-label={`Name of a new ${noun}`}
        placeholder={`Name of a new ${noun}`}
        data={suggested.filter((known) => !names.includes(known))}
        spellCheck={false}
        error={taken ? 'This name is there already' : undefined}
        value={name}
        onChange={setName}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
        }}
      />
      <Button leftSection={<IconPlus size={14} aria-hidden />} disabled={wanted === '' || taken} onClick={add}>
        Add {noun}
      </Button>
    </Group>
  );
}
