import { Autocomplete, Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json } from '../../../src-main/kit/json.ts';
import { type CallbackEntry, callbacksOf, type Rendered, showAnswer } from '../../api/callbacks.ts';
import { useCan } from '../../api/can.ts';
import { api, pathOf } from '../../api/client.ts';
import { curlOf } from '../../api/curl.ts';
import { useList } from '../../api/queries.ts';
import type { Machine } from '../../api/types.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { CopyCurl } from '../../ui/Notice.tsx';
import { DryRun } from './DryRun.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { type Override, OverrideFields } from './OverrideFields.tsx';
import classes from './RunCallbackDialog.module.css';

interface RunCallbackDialogProps {
  /** Undefined: to be chosen in the dialog. */
  readonly machine?: Machine;
  /** Chosen to begin with. */
  readonly preset?: { readonly plugin: string; readonly action: string };
  /** The screen behind holds changes of the configuration that are not saved. */
  readonly unsaved?: boolean;
  readonly onClose: () => void;
}

type Result =
  | { readonly kind: 'answer'; readonly answer: Json; readonly entry: CallbackEntry | undefined }
  | { readonly kind: 'dry'; readonly rendered: Rendered };

/** Picks an action from the plugins' callback maps; shows what would be sent, or runs it and shows what came back. */
export function RunCallbackDialog({ machine: fixed, preset, unsaved, onClose }: RunCallbackDialogProps) {
  const plugins = useList('plugins').data?.rows;
  const entries = plugins?.flatMap(callbacksOf);
  const can = useCan();
  const [picked, setPicked] = useState<Machine>();
  const [choice, setChoice] = useState<string | null>(preset ? idOf(preset) : null);
  const [typed, setTyped] = useState('');
  const [override, setOverride] = useState<Override>({ kind: 'none' });
  const [overrideFault, setOverrideFault] = useState<string>();
  const machine = fixed ?? picked;
  const entry = entries?.find((e) => idOf(e) === choice) ?? (entries?.length === 1 ? entries[0] : undefined);
  const action = entries === undefined ? typed.trim() : (entry?.action ?? '');
  const plugin = entry?.plugin;
  const ask = useMutation({
    mutationFn: async (kind: Result['kind']): Promise<Result> => {
      if (!machine) throw new Error('No machine is chosen');
      if (kind === 'dry') {
        const rendered = await api.renderCallback({
          Machine: machine.Uuid,
          Action: action,
          ...(plugin === undefined ? {} : { Plugin: plugin }),
          ...(override.kind === 'none' ? {} : { DataOverride: override.value }),
        });
        return { kind, rendered: rendered.value };
      }
      const answer = await api.runAction(machine.Uuid, 'callbackDo', argumentsOf(action, override), plugin);
      return { kind, answer: answer.value, entry };
    },
  });
  const waiting = machine === undefined ? 'Choose a machine' : action === '' ? 'Choose an action' : overrideFault;
  const runLocked =
    waiting ??
    (machine && can.locked('machines', 'action:callbackDo', machine.Uuid)) ??
    (machine?.Runnable === false ? 'No agent runs on this machine (Runnable is off)' : undefined);
  const result = ask.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={fixed ? `Run callback on ${fixed.Name}` : `Try callback ${preset?.action ?? ''}`}
      size={680}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (runLocked === undefined && !ask.isPending) ask.mutate('answer');
        }}
      >
        <Stack gap={14}>
          {fixed ? null : <MachinePicker value={picked} onChange={setPicked} />}
          {entries === undefined ? (
            <Autocomplete
              label="Action"
              description="The plugins are not readable for you: type the name of the callback"
              data-autofocus={fixed !== undefined}
              value={typed}
              onChange={setTyped}
            />
          ) : (
            <Select
              label="Action"
              description={
                entries.length === 0
                  ? 'No plugin has a callback configured; see Callbacks, Configuration'
                  : entry && `${entry.method} ${entry.url}`
              }
              placeholder="Choose a callback"
              data-autofocus={fixed !== undefined}
              data={entries.map((e) => ({ value: idOf(e), label: labelOf(e, entries) }))}
              value={entry ? idOf(entry) : null}
              onChange={setChoice}
              allowDeselect={false}
              searchable={entries.length > 8}
            />
          )}
          <OverrideFields value={override} onChange={setOverride} onFault={setOverrideFault} />
          {unsaved ? (
            <p className={classes['unsaved']}>
              Dry run and run use the configuration as it is stored; your unsaved changes are not in it.
            </p>
          ) : null}
          {ask.error ? <ErrorNotice error={ask.error} announce /> : null}
          {result?.kind === 'answer' ? <Answer answer={result.answer} entry={result.entry} /> : null}
          {result?.kind === 'dry' ? <DryRun rendered={result.rendered} /> : null}
          <Group justify="space-between" gap={8}>
            <CopyCurl
              text={curlOf(location.origin, {
                method: 'POST',
                path: `${pathOf('machines', machine?.Uuid ?? 'UUID', 'actions', 'callbackDo')}${plugin ? `?plugin=${encodeURIComponent(plugin)}` : ''}`,
                body: argumentsOf(action, override),
              })}
            />
            <Group gap={8}>
              <Button onClick={onClose}>Close</Button>
              <GuardedButton
                locked={waiting}
                loading={ask.isPending && ask.variables === 'dry'}
                onClick={() => !ask.isPending && ask.mutate('dry')}
              >
                Dry run
              </GuardedButton>
              <GuardedButton
                type="submit"
                variant="filled"
                locked={runLocked}
                loading={ask.isPending && ask.variables === 'answer'}
              >
                {result?.kind === 'answer' || (ask.error && ask.variables === 'answer') ? 'Run again' : 'Run callback'}
              </GuardedButton>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function MachinePicker({ value, onChange }: { value: Machine | undefined; onChange: (next: Machine) => void }) {
  const machines = useList('machines').data?.rows;
  return (
    <Select
      label="Machine"
      description={machines?.length === 0 ? 'There is no machine yet' : undefined}
      placeholder={machines === undefined ? 'Loading' : 'Search by name'}
      data-autofocus
      searchable
      limit={50}
      nothingFoundMessage="No such machine"
      data={machines?.map((machine) => ({ value: machine.Uuid, label: machine.Name })) ?? []}
      value={value?.Uuid ?? null}
      onChange={(uuid) => {
        const found = machines?.find((machine) => machine.Uuid === uuid);
        if (found) onChange(found);
      }}
      allowDeselect={false}
    />
  );
}

function idOf({ plugin, action }: { readonly plugin: string; readonly action: string }): string {
  return `${plugin}\n${action}`;
}

/** The plugin's name is only needed when two plugins know an action of the same name. */
function labelOf(entry: CallbackEntry, all: readonly CallbackEntry[]): string {
  const ambiguous = all.some((other) => other.action === entry.action && other.plugin !== entry.plugin);
  return ambiguous ? `${entry.action} (${entry.plugin})` : entry.action;
}

/** The arguments of the action. */
function argumentsOf(action: string, override: Override): Json {
  return {
    'callback/action': action,
    ...(override.kind === 'none' ? {} : { 'callback/data-override': override.value }),
  };
}

function Answer({ answer, entry }: { answer: Json; entry: CallbackEntry | undefined }) {
  const shown = showAnswer(answer, entry?.mode ?? 'base64');
  const text =
    shown.kind === 'json' ? JSON.stringify(shown.value, null, 2) : shown.kind === 'text' ? shown.text : shown.base64;
  return (
    <section className={classes['answer']} aria-label="Answer" aria-live="polite">
      <div className={classes['head']}>
        <h3>Answer</h3>
        <span className={classes['note']}>{shown.note}</span>
        <CopyButton text={text} label="Copy" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <pre tabIndex={0} data-testid="callback-answer">
        {text === '' ? '(empty)' : text}
      </pre>
    </section>
  );
}
