import { Button } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../src-main/kit/json.ts';
import { type Can, lockedFields, useCan } from '../../api/can.ts';
import { pathOf } from '../../api/client.ts';
import { curlOf } from '../../api/curl.ts';
import { type ReadyEditor, type SaveOutcome, useEditor } from '../../api/editor.ts';
import { ApiError } from '../../api/errors.ts';
import { NOUN, type Prefix } from '../../api/types.ts';
import { Loading } from '../../ui/Blank.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { MergeDialog } from '../../ui/MergeDialog.tsx';
import { CopyCurl, Notice } from '../../ui/Notice.tsx';
import { Panel, type PanelTab } from '../../ui/Panel.tsx';
import { SaveBar } from '../../ui/SaveBar.tsx';
import { notify } from '../../ui/snackbars.ts';
import classes from './EditorPanel.module.css';
import { ErrorNotice } from './ErrorNotice.tsx';
import { noticeOf } from './notice-of.ts';
import { maskSecrets, unmaskSecrets } from './secret-mask.ts';
import { useScreen } from './use-screen.ts';

/** What a feature's form gets to draw. */
export interface FormContext<P extends Prefix> {
  readonly editor: ReadyEditor<P>;
  readonly can: Can;
  /** Why no field of this object can be changed; undefined when at least one may be. */
  readonly locked: string | undefined;
  /** A text on the form that is not valid yet: nothing is saved while one is reported. */
  readonly onFault: (fault: string | undefined) => void;
}

interface EditorPanelProps<P extends Prefix> {
  readonly prefix: P;
  readonly objectKey: string;
  readonly onClose: () => void;
  /** Heading; the key itself until the object is there. */
  readonly titleOf?: (value: ReadyEditor<P>['stored']) => string;
  readonly chips?: (context: FormContext<P>) => ReactNode;
  readonly actions?: (context: FormContext<P>) => ReactNode;
  readonly form: (context: FormContext<P>) => ReactNode;
  readonly extraTabs?: readonly { id: string; label: string; content: (context: FormContext<P>) => ReactNode }[];
  /** Pointers of texts never shown in clear; a `*` segment stands for any member. */
  readonly secretFields?: readonly string[];
  /** Said above the JSON. */
  readonly jsonNote?: string;
}

/** The detail panel of any object: form, JSON of the same draft, guarded save, merge, errors, copy as curl. */
export function EditorPanel<P extends Prefix>(props: EditorPanelProps<P>) {
  const { prefix, objectKey } = props;
  const editor = useEditor(prefix, objectKey);
  const can = useCan();
  const { search, update } = useScreen();
  const [fault, setFault] = useState<string>();
  // Counted up by Discard, so that texts which do not parse go with the rest.
  const [discards, setDiscards] = useState(0);
  const kind = NOUN[prefix].one.replace(/^./, (c) => c.toUpperCase());
  const frame = {
    kind,
    tab: search.tab,
    onTab: (tab: string) => update({ tab }, { replace: true }),
    onClose: props.onClose,
  };
  if (editor.kind !== 'ready') {
    const content =
      editor.kind === 'loading' ? (
        <Loading what={`the ${NOUN[prefix].one}`} rows={5} />
      ) : (
        <ErrorNotice error={editor.error} onRetry={editor.retry} />
      );
    return <Panel {...frame} title={objectKey} tabs={[{ id: 'form', label: 'Form', content }]} />;
  }

  const locked = lockedReason(can, prefix, objectKey, editor.stored);
  const context: FormContext<P> = { editor, can, locked, onFault: setFault };
  const refused = lockedFields(
    can.standing,
    prefix,
    objectKey,
    editor.patch.map((op) => op.path),
  );
  const saveLocked =
    fault !== undefined
      ? `Not valid yet: ${fault}`
      : editor.gone
        ? 'It does not exist any more'
        : (locked ?? (refused.length > 0 ? `You may not update ${refused.join(', ')}` : undefined));
  const save = () => void editor.save().then((outcome) => report(outcome, kind));
  const tabs: PanelTab[] = [
    { id: 'form', label: 'Form', content: props.form(context) },
    ...(props.extraTabs ?? []).map((tab) => ({ ...tab, content: tab.content(context) })),
    {
      id: 'json',
      label: 'JSON',
      content: (
        <JsonTab
          editor={editor}
          secret={props.secretFields ?? []}
          note={props.jsonNote}
          locked={locked !== undefined}
          onError={setFault}
        />
      ),
    },
  ];
  return (
    <>
      <Panel
        {...frame}
        title={props.titleOf?.(editor.stored) ?? objectKey}
        chips={props.chips?.(context)}
        actions={
          <>
            {props.actions?.(context)}
            <CopyCurl text={curlOf(location.origin, { method: 'GET', path: pathOf(prefix, objectKey) })} />
          </>
        }
        tabs={tabs.map((tab) => ({
          ...tab,
          content: (
            <Fragment key={discards}>
              {editor.gone ? <GoneNotice editor={editor} kind={kind} onClose={props.onClose} /> : null}
              {editor.failure ? (
                <div className={classes['notice']}>
                  <ErrorNotice error={editor.failure} announce />
                </div>
              ) : null}
              {tab.content}
            </Fragment>
          ),
        }))}
        footer={
          <SaveBar
            changed={editor.changed}
            saving={editor.saving}
            locked={saveLocked}
            stale={editor.stale}
            onSave={save}
            onDiscard={() => {
              editor.discard();
              setDiscards(discards + 1);
            }}
          />
        }
      />
      {editor.clash ? (
        <MergeDialog
          title={`${kind} ${props.titleOf?.(editor.stored) ?? objectKey} was changed meanwhile`}
          fields={editor.clash.merge.clashes.map((clash) => ({
            pointer: clash.pointer,
            opened: asText(clash.opened),
            theirs: asText(clash.theirs),
            mine: asText(clash.mine),
          }))}
          saving={editor.saving}
          draft={JSON.stringify(maskSecrets(editor.value as JsonObject, props.secretFields ?? []), null, 2)}
          onSave={(takeTheirs) => void editor.saveMerged(takeTheirs).then((outcome) => report(outcome, kind))}
          onTakeTheirs={editor.discard}
          onClose={editor.closeClash}
        />
      ) : null}
    </>
  );
}

/** Content layers cannot be written; otherwise one claim on any field is enough to open the form. */
function lockedReason(can: Can, prefix: Prefix, key: string, stored: { ReadOnly: boolean }): string | undefined {
  if (stored.ReadOnly) return 'Built in: it can be read, not changed';
  const whole = can.locked(prefix, 'update', key);
  if (whole === undefined || !whole.startsWith('Requires')) return whole;
  const partly = can.standing.grants?.groups.some((group) =>
    group.claims.some((claim) => claim.action.split(',').some((action) => action.trim().startsWith('update:'))),
  );
  return partly ? undefined : whole;
}

function report(outcome: SaveOutcome, kind: string): void {
  if (outcome.kind !== 'saved') return;
  notify(`${kind} saved`, {
    undo: () => {
      outcome.undo().then(
        () => notify('Change taken back'),
        (error: unknown) => {
          const stale = error instanceof ApiError && error.failure.kind === 'conflict';
          notify(stale ? 'Not undone: it was changed again meanwhile' : `Not undone: ${noticeOf(error).title}`, {
            tone: 'danger',
          });
        },
      );
    },
  });
}

function asText(value: unknown): string {
  return value === undefined ? '(absent)' : JSON.stringify(value, null, 2);
}

interface JsonTabProps<P extends Prefix> {
  readonly editor: ReadyEditor<P>;
  readonly secret: readonly string[];
  readonly note: string | undefined;
  readonly locked: boolean;
  readonly onError: (message: string | undefined) => void;
}

function JsonTab<P extends Prefix>({ editor, secret, note, locked, onError }: JsonTabProps<P>) {
  const current = editor.value as JsonObject;
  return (
    <>
      {note ? <p className={classes['note']}>{note}</p> : null}
      <JsonEditor
        label="Object as JSON"
        value={maskSecrets(current, secret)}
        readOnly={locked}
        onChange={(value) => editor.replace(unmaskSecrets(value as JsonObject, current, secret).value)}
        onError={onError}
        accept={(value) => objectFault(value, current, secret)}
        minHeight={280}
      />
    </>
  );
}

/** Why a JSON value cannot be this object; undefined when it can. */
function objectFault(value: unknown, current: JsonObject, secret: readonly string[]): string | undefined {
  if (!isJsonObject(value)) return 'An object { … } is needed here.';
  if (!isJsonObject(value['Meta'] ?? {}) || value['Meta'] === null) {
    return 'Meta has to be an object: { } when there is nothing in it.';
  }
  const { lost } = unmaskSecrets(value, current, secret);
  return lost.length > 0 ? `Type the value again at ${lost.join(', ')}: nothing hidden belongs there.` : undefined;
}

/** The draft outlives its object: it can be created anew, or let go. */
function GoneNotice<P extends Prefix>(props: { editor: ReadyEditor<P>; kind: string; onClose: () => void }) {
  const { editor, kind, onClose } = props;
  const dirty = editor.changed.length > 0;
  return (
    <div className={classes['notice']}>
      <Notice
        tone="warn"
        content={{
          title: `This ${kind.toLowerCase()} was deleted meanwhile`,
          lines: [
            dirty ? 'What you typed is still here.' : 'What is shown is what was loaded last.',
            'It may also be hidden by your tenant now.',
          ],
        }}
      >
        <Button
          size="compact-sm"
          loading={editor.saving}
          onClick={() => void editor.recreate().then((done) => done && notify(`${kind} created again`))}
        >
          {dirty ? 'Recreate from my draft' : 'Recreate it'}
        </Button>
        <Button
          size="compact-sm"
          onClick={() => {
            editor.discard();
            onClose();
          }}
        >
          {dirty ? 'Discard my draft' : 'Close'}
        </Button>
      </Notice>
    </div>
  );
}

/** What the server found wrong with a stored object: first in its form. */
export function FaultNotice({ errors }: { errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <div className={classes['notice']}>
      <Notice tone="warn" content={{ title: 'Not available', lines: errors }} />
    </div>
  );
}

/** Available and built-in marks every stored object has. */
export function StoredChips({
  value,
}: {
  value: { Available: boolean; ReadOnly: boolean; Errors: readonly string[] };
}) {
  return (
    <>
      {value.Available ? null : <Chip tone="warn">Not available</Chip>}
      {value.ReadOnly ? <Chip tone="locked">Built in</Chip> : null}
    </>
  );
}
