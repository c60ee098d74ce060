import { Switch, TextInput } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../src-main/kit/json.ts';
import type { Machine } from '../../api/types.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { CopiedText, Facts, Section } from '../../ui/Panel.tsx';
import { EditorPanel, FaultNotice, type FormContext, StoredChips } from '../common/EditorPanel.tsx';
import { ObjectMenu } from '../common/ObjectMenu.tsx';
import { RunCallbackDialog } from '../common/RunCallbackDialog.tsx';
import { MachineState } from './MachineState.tsx';

interface MachinePanelProps {
  readonly uuid: string;
  readonly onClose: () => void;
  readonly onDelete: (machine: Machine) => void;
}

export function MachinePanel({ uuid, onClose, onDelete }: MachinePanelProps) {
  const [running, setRunning] = useState<Machine>();
  return (
    <>
      <EditorPanel
        prefix="machines"
        objectKey={uuid}
        onClose={onClose}
        secretFields={['/Secret']}
        titleOf={(machine) => machine.Name}
        chips={({ editor }) => (
          <>
            <MachineState machine={editor.stored} />
            <StoredChips value={{ ...editor.stored, Available: true }} />
          </>
        )}
        actions={(context) => <MachineActions {...context} onRun={setRunning} onDelete={onDelete} />}
        form={(context) => <MachineForm {...context} />}
        extraTabs={[{ id: 'params', label: 'Params', content: (context) => <ParamsTab {...context} /> }]}
      />
      {running ? <RunCallbackDialog machine={running} onClose={() => setRunning(undefined)} /> : null}
    </>
  );
}

function MachineForm({ editor, locked }: FormContext<'machines'>) {
  const machine = editor.value;
  const readOnly = locked !== undefined;
  return (
    <>
      <FaultNotice errors={editor.stored.Errors} />
      <Section title="General">
        <div className="fields">
          <TextInput
            label="Name"
            description={locked}
            value={machine.Name}
            readOnly={readOnly}
            spellCheck={false}
            onChange={(event) => editor.set('Name', event.currentTarget.value)}
          />
          <TextInput
            label="Address"
            placeholder="none"
            value={machine.Address}
            readOnly={readOnly}
            spellCheck={false}
            onChange={(event) => editor.set('Address', event.currentTarget.value)}
          />
          <TextInput
            label="Description"
            value={machine.Description}
            readOnly={readOnly}
            onChange={(event) => editor.set('Description', event.currentTarget.value)}
          />
          <Switch
            label="Runnable"
            description="An agent may work on it; off, no task and no callback runs"
            checked={machine.Runnable}
            disabled={readOnly}
            onChange={(event) => editor.set('Runnable', event.currentTarget.checked)}
          />
        </div>
      </Section>
      <Section title="Provisioning">
        <Facts
          rows={[
            { label: 'UUID', value: <CopiedText>{machine.Uuid}</CopiedText> },
            { label: 'Stage', value: machine.Stage || 'none' },
            { label: 'Workflow', value: machine.Workflow || 'none' },
            { label: 'BootEnv', value: machine.BootEnv || 'none' },
            { label: 'Profiles', value: machine.Profiles.join(', ') || 'none' },
            {
              label: 'Tasks',
              value: machine.Tasks.length === 0 ? 'none' : `${machine.CurrentTask + 1} of ${machine.Tasks.length}`,
            },
            { label: 'Current job', value: machine.CurrentJob ? <code>{machine.CurrentJob}</code> : 'none' },
            { label: 'Hardware addresses', value: machine.HardwareAddrs.join(', ') || 'none' },
          ]}
        />
      </Section>
    </>
  );
}

function ParamsTab({ editor, locked, onFault }: FormContext<'machines'>) {
  const n = Object.keys(editor.value.Params).length;
  return (
    <Section title={n === 1 ? '1 param of its own' : `${n} params of its own`}>
      <p className="hint">Profiles, the stage and the global profile may add more; those are not changed here.</p>
      <div style={{ height: 8 }} />
      <JsonEditor
        label="Params as JSON"
        value={editor.value.Params}
        readOnly={locked !== undefined}
        accept={(value) => (isJsonObject(value) ? undefined : 'Params is an object: { "name": value }')}
        onError={onFault}
        onChange={(value) => editor.set('Params', value as JsonObject)}
      />
    </Section>
  );
}

interface MachineActionsProps extends FormContext<'machines'> {
  readonly onRun: (machine: Machine) => void;
  readonly onDelete: (machine: Machine) => void;
}

function MachineActions({ editor, can, onRun, onDelete }: MachineActionsProps) {
  const machine = editor.stored;
  const runLocked =
    can.locked('machines', 'action:callbackDo', machine.Uuid) ??
    (machine.Runnable ? undefined : 'No agent runs on this machine (Runnable is off)');
  return (
    <>
      <GuardedButton
        size="compact-sm"
        leftSection={<IconSend2 size={15} aria-hidden />}
        locked={runLocked}
        onClick={() => onRun(machine)}
      >
        Run callback
      </GuardedButton>
      <ObjectMenu
        name={machine.Name}
        remove={{
          label: 'Delete machine',
          locked: can.locked('machines', 'delete', machine.Uuid),
          onClick: () => onDelete(machine),
        }}
      />
    </>
  );
}
