import { ActionIcon, Autocomplete, Button, Group } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { naturalKey } from '../../ui/arrange.ts';
import { namesWith, useNames } from '../common/use-names.ts';
import { matchMembers, restrictedText } from './members.ts';
import classes from './ScopeMembers.module.css';

interface ScopeMembersProps {
  readonly scope: string;
  readonly ids: readonly string[];
  readonly readOnly: boolean;
  readonly onChange: (ids: string[]) => void;
  readonly onUnrestrict: () => void;
}

/** Rows drawn at once; the field above them finds the others. */
const SHOWN = 50;
const SUGGESTED = 20;

/** The objects of one kind that a tenant shows: by name where they can be read, added by name, identifier or a pasted list. */
export function ScopeMembers({ scope, ids, readOnly, onChange, onUnrestrict }: ScopeMembersProps) {
  const objects = useNames(scope);
  const [typed, setTyped] = useState('');
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const members = useMemo(() => new Set(ids), [ids]);
  const missing = useMemo(
    () => new Set(objects?.complete ? ids.filter((id) => !objects.nameOf.has(id)) : []),
    [objects, ids],
  );
  const wanted = typed.trim().toLowerCase();
  const rows = useMemo(() => {
    const named = ids.map((id) => ({ id, name: objects?.nameOf.get(id) ?? id }));
    const found = named.filter(({ id, name }) => `${name}\n${id}`.toLowerCase().includes(wanted));
    return found.sort((a, b) => (naturalKey(a.name) < naturalKey(b.name) ? -1 : 1));
  }, [ids, objects, wanted]);
  const suggested = useMemo(() => namesWith(objects, wanted, SUGGESTED, members), [objects, members, wanted]);
  const add = (text: string) => {
    const matched = matchMembers(text, objects?.idOf);
    const fresh = matched.ids.filter((id) => !members.has(id));
    if (fresh.length > 0) onChange([...ids, ...fresh]);
    setUnknown(matched.unknown);
    setTyped(matched.unknown.join(' '));
  };
  return (
    <fieldset className={classes['scope']}>
      <legend>
        <b>{scope}</b>{' '}
        <span>
          {objects
            ? restrictedText(ids, objects.nameOf, objects.complete)
            : `Restricted: ${ids.length.toLocaleString()} visible`}
        </span>
      </legend>
      {readOnly ? null : (
        <Group gap={8} wrap="nowrap" align="flex-start">
          <Autocomplete
            className={classes['grow'] ?? ''}
            size="xs"
            aria-label={`Find or add ${scope}`}
            placeholder="Find or add: a name, an identifier, or a pasted list"
            data={suggested}
            filter={({ options }) => options}
            spellCheck={false}
            error={unknown.length > 0 ? notFound(unknown) : undefined}
            value={typed}
            onChange={(text) => {
              setTyped(text);
              setUnknown([]);
            }}
            onOptionSubmit={(name) => {
              add(name);
              // The field takes over the chosen text after this.
              queueMicrotask(() => setTyped(''));
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.defaultPrevented) add(typed);
            }}
          />
          <Button
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={wanted === ''}
            onClick={() => add(typed)}
          >
            Add
          </Button>
        </Group>
      )}
      {ids.length === 0 ? <p className="hint">Nothing is listed: its users see no {scope} at all.</p> : null}
      {rows.length === 0 ? null : (
        <ul className={classes['members']}>
          {rows.slice(0, SHOWN).map(({ id, name }) => (
            <li key={id}>
              <span className={classes['name']} title={id}>
                {missing.has(id) ? <del>{id}</del> : name}
              </span>
              {missing.has(id) ? <span className="hint">does not exist</span> : null}
              {readOnly ? null : (
                <ActionIcon
                  size={24}
                  aria-label={`Remove ${name} from ${scope}`}
                  onClick={() => onChange(ids.filter((other) => other !== id))}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {rows.length > SHOWN ? (
        <p className="hint">{(rows.length - SHOWN).toLocaleString()} more; type in the field above to find them.</p>
      ) : null}
      {readOnly ? null : (
        <Group gap={8} mt={6}>
          {missing.size > 0 ? (
            <Button size="compact-xs" onClick={() => onChange(ids.filter((id) => !missing.has(id)))}>
              Remove {missing.size.toLocaleString()} missing
            </Button>
          ) : null}
          <Button size="compact-xs" variant="subtle" color="danger" onClick={onUnrestrict}>
            Stop restricting {scope}
          </Button>
        </Group>
      )}
    </fieldset>
  );
}

function notFound(words: readonly string[]): string {
  const shown = words.slice(0, 5).join(', ');
  const rest = words.length > 5 ? ` and ${words.length - 5} more` : '';
  return `Not found: ${shown}${rest}`;
}
