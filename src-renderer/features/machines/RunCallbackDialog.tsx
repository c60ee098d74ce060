import { Autocomplete, Button, Group, Modal, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json } from '../../../src-main/kit/json.ts';
import { type CallbackEntry, callbacksOf, showAnswer } from '../../api/callbacks.ts';
import { api, pathOf } from '../../api/client.ts';
import { curlOf } from '../../api/curl.ts';
import { useList } from '../../api/queries.ts';
import type { Machine } from '../../api/types.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { CopyCurl } from '../../ui/Notice.tsx';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import classes from './RunCallbackDialog.module.css';

type Override = { kind: 'none' } | { kind: 'template'; text: string } | { kind: 'json'; value: Json };

/** Picks an action from the plugins' callback maps, runs `callbackDo`, shows what the external service answered. */
export function RunCallbackDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const plugins = useList('plugins').data?.rows;
  const entries = plugins?.flatMap(callbacksOf);
  const [choice, setChoice] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [override, setOverride] = useState<Override>({ kind: 'none' });
  const [overrideFault, setOverrideFault] = useState<string>();
  const entry = entries?.find((e) => idOf(e) === choice) ?? (entries?.length === 1 ? entries[0] : undefined);
  const action = entries === undefined ? typed.trim() : entry?.action;
  const body = requestBody(action ?? '', override);
  const run = useMutation({
    mutationFn: async () => ({
      entry,
      answer: (await api.runAction(machine.Uuid, 'callbackDo', body, entry?.plugin)).value,
    }),
  });
  const ready = action !== undefined && action !== '' && overrideFault === undefined && !run.isPending;
  return (
    <Modal opened onClose={onClose} title={`Run callback on ${machine.Name}`} size={640}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) run.mutate();
        }}
      >
        <Stack gap={14}>
          {entries === undefined ? (
            <Autocomplete
              label="Action"
              description="The plugins are not readable for you: type the name of the callback"
              data-autofocus
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
              data-autofocus
              data={entries.map((e) => ({ value: idOf(e), label: labelOf(e, entries) }))}
              value={entry ? idOf(entry) : null}
              onChange={setChoice}
              allowDeselect={false}
              searchable={entries.length > 8}
            />
          )}
          <OverrideFields value={override} onChange={setOverride} onFault={setOverrideFault} />
          {run.error ? <ErrorNotice error={run.error} announce /> : null}
          {run.data ? <Answer {...run.data} /> : null}
          <Group justify="space-between">
            <CopyCurl
              text={curlOf(location.origin, {
                method: 'POST',
                path: `${pathOf('machines', machine.Uuid, 'actions', 'callbackDo')}${entry ? `?plugin=${encodeURIComponent(entry.plugin)}` : ''}`,
                body,
              })}
            />
            <Group gap={8}>
              <Button onClick={onClose}>Close</Button>
              <Button type="submit" variant="filled" disabled={!ready} loading={run.isPending}>
                {run.data || run.error ? 'Run again' : 'Run callback'}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function idOf(entry: CallbackEntry): string {
  return `${entry.plugin}\n${entry.action}`;
}

/** The plugin's name is only needed when two plugins know an action of the same name. */
function labelOf(entry: CallbackEntry, all: readonly CallbackEntry[]): string {
  const ambiguous = all.some((other) => other.action === entry.action && other.plugin !== entry.plugin);
  return ambiguous ? `${entry.action} (${entry.plugin})` : entry.action;
}

/** `callback/data-override` is an argument of the run only: a text is a template, anything else is sent as JSON. */
function requestBody(action: string, override: Override): Json {
  const base = { 'callback/action': action };
  switch (override.kind) {
    case 'none':
      return base;
    case 'template':
      return { ...base, 'callback/data-override': override.text };
    case 'json':
      return { ...base, 'callback/data-override': override.value };
  }
}

interface OverrideFieldsProps {
  readonly value: Override;
  readonly onChange: (value: Override) => void;
  readonly onFault: (fault: string | undefined) => void;
}

function OverrideFields({ value, onChange, onFault }: OverrideFieldsProps) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4} id="override-label">
        Data sent
      </Text>
      <SegmentedControl
        size="xs"
        aria-labelledby="override-label"
        value={value.kind}
        data={[
          { value: 'none', label: 'The machine' },
          { value: 'template', label: 'Template text' },
          { value: 'json', label: 'JSON' },
        ]}
        onChange={(kind) => {
          onFault(undefined);
          if (kind === 'template') onChange({ kind, text: '' });
          else if (kind === 'json') onChange({ kind, value: {} });
          else onChange({ kind: 'none' });
        }}
      />
      {value.kind === 'template' ? (
        <Textarea
          mt={8}
          aria-label="Template text"
          placeholder='{"host": "{{.Machine.Name}}"}'
          spellCheck={false}
          value={value.text}
          onChange={(event) => onChange({ kind: 'template', text: event.currentTarget.value })}
        />
      ) : null}
      {value.kind === 'json' ? (
        <div style={{ marginTop: 8 }}>
          <JsonEditor
            label="Data override as JSON"
            value={value.value}
            minHeight={90}
            onError={onFault}
            accept={(json) =>
              typeof json === 'string' ? 'A text would be read as a template; choose Template text.' : undefined
            }
            onChange={(json) => onChange({ kind: 'json', value: json as Json })}
          />
        </div>
      ) : null}
    </div>
  );
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
