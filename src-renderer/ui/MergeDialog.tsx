import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from './CopyButton.tsx';
import classes from './MergeDialog.module.css';
import { verbatim } from './verbatim.ts';

/** One field two people changed differently, as text. */
interface MergeField {
  readonly pointer: string;
  readonly opened: string;
  readonly theirs: string;
  readonly mine: string;
}

interface MergeDialogProps {
  readonly title: string;
  readonly fields: readonly MergeField[];
  readonly saving: boolean;
  /** Called with the pointers for which the stored value wins. */
  readonly onSave: (takeTheirs: ReadonlySet<string>) => void;
  readonly onTakeTheirs: () => void;
  readonly onClose: () => void;
  /** The whole draft as JSON, for "Copy my draft". */
  readonly draft: string;
}

/** Only clashing fields need a choice; the rest has been merged already. */
export function MergeDialog(props: MergeDialogProps) {
  const [choices, setChoices] = useState<Readonly<Record<string, 'theirs' | 'mine'>>>({});
  const complete = props.fields.every((field) => choices[field.pointer]);
  const save = () =>
    props.onSave(new Set(props.fields.filter((f) => choices[f.pointer] === 'theirs').map((f) => f.pointer)));
  return (
    <Modal opened onClose={props.onClose} title={props.title} size={860}>
      <p className={classes['lead']}>
        Somebody changed the same {props.fields.length === 1 ? 'field' : 'fields'} after you opened this. Choose what to
        keep; everything else is merged already.
      </p>
      {props.fields.map((field) => (
        <fieldset key={field.pointer} className={classes['field']}>
          <legend>
            <code>{verbatim(field.pointer)}</code>
          </legend>
          <div className={classes['columns']}>
            <div className={classes['opened']}>
              <span className={classes['label']}>When you opened it</span>
              <pre>{verbatim(field.opened)}</pre>
            </div>
            {(['theirs', 'mine'] as const).map((side) => (
              <label
                key={side}
                className={classes['choice']}
                data-chosen={choices[field.pointer] === side || undefined}
              >
                <span className={classes['label']}>
                  <input
                    type="radio"
                    name={field.pointer}
                    checked={choices[field.pointer] === side}
                    onChange={() => setChoices({ ...choices, [field.pointer]: side })}
                  />
                  {side === 'theirs' ? 'Stored now' : 'Yours'}
                </span>
                <pre>{verbatim(field[side])}</pre>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <Group justify="space-between" mt={16}>
        <CopyButton text={props.draft} label="Copy my draft" />
        <Group gap={8}>
          <Button onClick={props.onTakeTheirs}>Take theirs</Button>
          <Button variant="filled" disabled={!complete} loading={props.saving} onClick={save}>
            Save merged
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}
