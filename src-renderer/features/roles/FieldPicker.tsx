import { ActionIcon, Button, Group, Modal, TextInput } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { escapeToken } from '../../../src-main/kit/json-pointer.ts';
import { listQuery } from '../../api/queries.ts';
import { NOUN, type ObjectOf, type Prefix } from '../../api/types.ts';
import { Loading } from '../../ui/Blank.tsx';
import { fieldPointers } from '../common/claim-suggestions.ts';
import classes from './FieldPicker.module.css';

interface FieldPickerProps {
  readonly scope: string;
  /** Called with `update:/Params/rack`. */
  readonly onPick: (action: string) => void;
}

/** Objects looked at for their fields, and fields drawn at once. */
const SAMPLE = 50;
const FEW = 5;
const SHOWN = 200;

/** Chooses the field an update is limited to, out of what objects of the scope really have. Absent where they cannot be listed. */
export function FieldPicker({ scope, onPick }: FieldPickerProps) {
  const [open, setOpen] = useState(false);
  const prefix = Object.hasOwn(NOUN, scope.trim()) ? (scope.trim() as Prefix) : undefined;
  if (prefix === undefined) return null;
  return (
    <>
      <ActionIcon
        size={24}
        aria-label={`Choose a field of ${prefix}`}
        title="Limit update to a field"
        onClick={() => setOpen(true)}
      >
        <IconBraces size={14} aria-hidden />
      </ActionIcon>
      <Modal opened={open} onClose={() => setOpen(false)} title={`May update which field of ${prefix}?`} size={520}>
        <Fields
          prefix={prefix}
          onPick={(pointer) => {
            onPick(`update:${pointer}`);
            setOpen(false);
          }}
        />
      </Modal>
    </>
  );
}

function Fields({ prefix, onPick }: { prefix: Prefix; onPick: (pointer: string) => void }) {
  const { data } = useQuery(listQuery(prefix));
  const [typed, setTyped] = useState('');
  const fields = useMemo(() => data && fieldPointers(sampleOf(data.rows)), [data]);
  if (!fields) return <Loading what="the fields" rows={5} />;
  if (fields.length === 0) return <p>There is none to look at: type update:/Field yourself.</p>;
  const found = fields.filter(({ pointer }) => pointer.toLowerCase().includes(typed.trim().toLowerCase()));
  const own = pointerOf(typed, prefix);
  return (
    <>
      <TextInput
        aria-label="Filter fields"
        placeholder="Filter fields"
        data-autofocus
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={classes['fields']} aria-label="Fields">
        {found.slice(0, SHOWN).map(({ pointer, below }) => (
          <li key={pointer}>
            <button
              type="button"
              disabled={pointer.includes(',')}
              title={
                pointer.includes(',')
                  ? 'A comma divides the items of a claim, so this field cannot be named'
                  : undefined
              }
              onClick={() => onPick(pointer)}
            >
              <code>{pointer}</code>
              {below > 0 ? <span>also covers {below === 1 ? '1 field' : `${below} fields`} below</span> : null}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? (
        <Group gap={8} mb={10}>
          <Button size="compact-sm" disabled={own.includes(',')} onClick={() => onPick(own)}>
            Use {own}
          </Button>
        </Group>
      ) : null}
      <p className="hint">What {prefix} have now; a field or param none has yet can be typed above.</p>
    </>
  );
}

/** A few objects, and those that have params, since each may have others. */
function sampleOf(rows: readonly ObjectOf<Prefix>[]): readonly ObjectOf<Prefix>[] {
  const withParams = rows.filter((row) => 'Params' in row && Object.keys(row.Params).length > 0);
  return [...rows.slice(0, FEW), ...withParams.slice(0, SAMPLE)];
}

/** What was typed as a pointer: one already, or the name of a param or of a field. */
function pointerOf(typed: string, prefix: Prefix): string {
  const text = typed.trim();
  if (text.startsWith('/')) return text;
  return `${prefix === 'machines' || prefix === 'plugins' ? '/Params' : ''}/${escapeToken(text)}`;
}
