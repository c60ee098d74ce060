import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import type { JsonObject } from '../../../src-main/kit/json.ts';
import { callbacksOf } from '../../api/callbacks.ts';
import { isPlainObject } from '../../api/patch.ts';
import type { Plugin } from '../../api/types.ts';
import { Chip } from '../../ui/Chip.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Facts, Section } from '../../ui/Panel.tsx';
import { EditorPanel, type FormContext, objectFault, StoredChips } from '../common/EditorPanel.tsx';
import { maskSecrets, unmaskSecrets } from '../common/secret-mask.ts';
import classes from './PluginPanel.module.css';

/** Texts of a callback configuration that are credentials, inside Params. */
const PARAM_SECRETS = [
  '/callback~1auths/*/Password',
  '/callback~1auths/*/Data',
  '/callback~1auths/*/Query',
  '/callback~1callbacks/*/Headers/Authorization',
];
/** Actions the service itself calls (service.md: stages and jobfail). */
const RESERVED: Readonly<Record<string, string>> = {
  complete: 'used by callback-complete and callback-complete-and-lock',
  jobfail: 'sent by itself when the current job fails',
};
const MODES = { base64: 'Base64', json: 'JSON', string: 'string' } as const;

interface PluginPanelProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDelete: (plugin: Plugin) => void;
}

export function PluginPanel({ name, onClose, onDelete }: PluginPanelProps) {
  return (
    <EditorPanel
      prefix="plugins"
      objectKey={name}
      onClose={onClose}
      secretFields={PARAM_SECRETS.map((pointer) => `/Params${pointer}`)}
      chips={({ editor }) => (
        <>
          <Chip>{editor.stored.Provider}</Chip>
          <StoredChips value={editor.stored} />
        </>
      )}
      actions={(context) => <PluginMenu {...context} onDelete={onDelete} />}
      form={(context) => <PluginForm {...context} />}
    />
  );
}

function PluginForm({ editor, locked, onFault }: FormContext<'plugins'>) {
  const plugin = editor.value;
  const entries = callbacksOf(plugin);
  const params = plugin.Params as JsonObject;
  return (
    <>
      <ErrorStrip plugin={editor.stored} />
      <Section title="General">
        <TextInput
          label="Description"
          description={locked}
          value={plugin.Description}
          readOnly={locked !== undefined}
          onChange={(event) => editor.set('Description', event.currentTarget.value)}
        />
      </Section>
      <Section title={entries.length === 1 ? '1 callback' : `${entries.length} callbacks`}>
        {entries.length === 0 ? (
          <p className="hint">
            None yet. Add one below, under <code>callback/callbacks</code>: its name, then at least <code>Url</code>.
          </p>
        ) : (
          <ul className={classes['callbacks']}>
            {entries.map((entry) => (
              <li key={entry.action}>
                <div className={classes['name']}>
                  <b>{entry.action}</b>
                  <Chip>{MODES[entry.mode]}</Chip>
                  {RESERVED[entry.action] ? <span className="hint">{RESERVED[entry.action]}</span> : null}
                </div>
                <code>
                  {entry.method} {entry.url || '(no Url)'}
                </code>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Params">
        <JsonEditor
          label="Params as JSON"
          value={maskSecrets(params, PARAM_SECRETS)}
          readOnly={locked !== undefined}
          accept={(value) =>
            isPlainObject(value as JsonObject)
              ? objectFault(value, params, PARAM_SECRETS)
              : 'Params is an object: { "callback/callbacks": { … } }'
          }
          onError={onFault}
          onChange={(value) => editor.set('Params', unmaskSecrets(value as JsonObject, params, PARAM_SECRETS).value)}
          minHeight={260}
        />
      </Section>
      <Section title="Defaults">
        <Facts
          rows={[
            { label: 'Method', value: 'POST' },
            { label: 'Timeout', value: '7200 s (2 h) for the whole callback, retries included' },
            { label: 'Retry, Delay', value: '0; 0 s between retries' },
            { label: 'Answer', value: 'Base64; JsonResponse or StringResponse change it, JSON wins' },
          ]}
        />
      </Section>
    </>
  );
}

/** What the server found wrong with the configuration: an error of the form, even though the save succeeded. */
function ErrorStrip({ plugin }: { plugin: Plugin }) {
  const lines = [...plugin.Errors, ...plugin.PluginErrors];
  if (lines.length === 0) return null;
  return (
    <div style={{ marginBottom: 16 }}>
      <Notice
        content={{
          title: lines.length === 1 ? '1 error in this configuration' : `${lines.length} errors in this configuration`,
          lines,
          hint: 'It is saved, but no callback of this instance runs until this is corrected.',
        }}
      />
    </div>
  );
}

function PluginMenu({ editor, can, onDelete }: FormContext<'plugins'> & { onDelete: (plugin: Plugin) => void }) {
  const { Name } = editor.stored;
  const locked = can.locked('plugins', 'delete', Name);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${Name}`}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          color="danger"
          leftSection={<IconTrash size={15} aria-hidden />}
          disabled={locked !== undefined}
          title={locked}
          onClick={() => onDelete(editor.stored)}
        >
          Delete instance
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
