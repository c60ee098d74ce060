import { IconSend2 } from '@tabler/icons-react';
import { useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../src-main/kit/json.ts';
import { callbacksOf } from '../../api/callbacks.ts';
import type { Plugin } from '../../api/types.ts';
import { Chip } from '../../ui/Chip.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Panel.tsx';
import { EditorPanel, type FormContext, StoredChips } from '../common/EditorPanel.tsx';
import { DescriptionField } from '../common/NameFields.tsx';
import { ObjectMenu } from '../common/ObjectMenu.tsx';
import { RunCallbackDialog } from '../common/RunCallbackDialog.tsx';
import { SECRET_HEADERS } from '../common/secret-mask.ts';
import { AuthForm } from './AuthForm.tsx';
import { CallbackForm } from './CallbackForm.tsx';
import { ConnectionTab } from './ConnectionTab.tsx';
import { responseOf, textOf, withField } from './callback-fields.ts';
import classes from './EntryList.module.css';
import { EntryList } from './EntryList.tsx';

/** Texts of a callback configuration that are credentials. */
const SECRETS = [
  '/Params/callback~1auths/*/Password',
  '/Params/callback~1auths/*/Data',
  '/Params/callback~1auths/*/Query',
  `/Params/callback~1callbacks/*/Headers/${SECRET_HEADERS}`,
  '/Params/callback~1delivery/Signing/Secrets/*',
];
const CALLBACKS = 'callback/callbacks';
const AUTHS = 'callback/auths';
/** Actions the service itself calls (service.md: stages and jobfail). */
const RESERVED: Readonly<Record<string, string>> = {
  complete: 'used by callback-complete and callback-complete-and-lock',
  jobfail: 'sent by itself when the current job fails',
};
const MODES = { base64: 'Base64', json: 'JSON', string: 'String' } as const;

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
      secretFields={SECRETS}
      chips={({ editor }) => (
        <>
          <Chip>{editor.stored.Provider}</Chip>
          <StoredChips value={editor.stored} />
        </>
      )}
      actions={(context) => <PluginMenu {...context} onDelete={onDelete} />}
      form={(context) => <PluginForm {...context} />}
      extraTabs={[
        { id: 'auths', label: 'Auths', content: (context) => <AuthsTab {...context} /> },
        { id: 'connection', label: 'Connection', content: (context) => <Connection {...context} /> },
      ]}
    />
  );
}

function PluginForm({ editor, locked }: FormContext<'plugins'>) {
  const plugin = editor.value;
  const params = plugin.Params as JsonObject;
  const [trying, setTrying] = useState<string>();
  const readOnly = locked !== undefined;
  const auths = isJsonObject(params[AUTHS]) ? Object.keys(params[AUTHS]) : [];
  const storedActions = callbacksOf(editor.stored).map(({ action }) => action);
  const count = isJsonObject(params[CALLBACKS]) ? Object.keys(params[CALLBACKS]).length : 0;
  return (
    <>
      <ErrorStrip plugin={editor.stored} />
      <Section title="General">
        <DescriptionField
          value={plugin.Description}
          locked={locked}
          onChange={(text) => editor.set('Description', text)}
        />
      </Section>
      <Section title={count === 1 ? '1 callback' : `${count} callbacks`}>
        <EntryList
          noun="callback"
          map={params[CALLBACKS]}
          blank={{ Url: '' }}
          suggested={Object.keys(RESERVED)}
          empty="None yet. A callback is one web request to an external service; actions and stages call it by its name."
          readOnly={readOnly}
          onChange={(map) => editor.set('Params', withField(params, CALLBACKS, map))}
          summary={(name, value) => (
            <>
              <b>{name}</b>
              <Chip>{MODES[responseOf(value)]}</Chip>
              {RESERVED[name] ? <span className={classes['meaning']}>{RESERVED[name]}</span> : null}
              <span className={classes['target']}>
                {textOf(value, 'Method') || 'POST'} {textOf(value, 'Url') || '(no Url)'}
              </span>
            </>
          )}
          form={(_name, value, onChange) => (
            <CallbackForm value={value} onChange={onChange} readOnly={readOnly} auths={auths} />
          )}
          actions={(name) => (
            <GuardedButton
              size="compact-sm"
              leftSection={<IconSend2 size={15} aria-hidden />}
              locked={storedActions.includes(name) ? undefined : 'Save it first'}
              onClick={() => setTrying(name)}
            >
              Try it
            </GuardedButton>
          )}
        />
      </Section>
      {trying === undefined ? null : (
        <RunCallbackDialog
          preset={{ plugin: plugin.Name, action: trying }}
          unsaved={editor.changed.length > 0}
          onClose={() => setTrying(undefined)}
        />
      )}
    </>
  );
}

function AuthsTab({ editor, locked }: FormContext<'plugins'>) {
  const params = editor.value.Params as JsonObject;
  const readOnly = locked !== undefined;
  return (
    <EntryList
      noun="auth method"
      map={params[AUTHS]}
      blank={{ AuthType: 'basic' }}
      empty="None yet. An auth method says how a callback proves who it is; callbacks name the methods they try."
      readOnly={readOnly}
      onChange={(map) =>
        editor.set('Params', withField(params, AUTHS, Object.keys(map).length === 0 ? undefined : map))
      }
      summary={(name, value) => (
        <>
          <b>{name}</b>
          <Chip>{textOf(value, 'AuthType') || 'no type'}</Chip>
          <span className={classes['target']}>
            {textOf(value, 'Url') || textOf(value, 'Path') || textOf(value, 'Username')}
          </span>
        </>
      )}
      form={(_name, value, onChange) => <AuthForm value={value} onChange={onChange} readOnly={readOnly} />}
    />
  );
}

function Connection({ editor, locked, onFault }: FormContext<'plugins'>) {
  return (
    <ConnectionTab
      value={editor.value.Params as JsonObject}
      onChange={(params) => editor.set('Params', params)}
      readOnly={locked !== undefined}
      onFault={onFault}
    />
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
    <ObjectMenu name={Name} remove={{ label: 'Delete instance', locked, onClick: () => onDelete(editor.stored) }} />
  );
}
