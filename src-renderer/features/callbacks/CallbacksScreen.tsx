import { IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { callbacksOf } from '../../api/callbacks.ts';
import type { Plugin } from '../../api/types.ts';
import { Chip } from '../../ui/Chip.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { DeleteDialog } from '../common/DeleteDialog.tsx';
import { ListScreen } from '../common/ListScreen.tsx';
import { CreatePluginDialog } from './CreatePluginDialog.tsx';
import { PluginPanel } from './PluginPanel.tsx';

const COLUMNS: readonly Column<Plugin>[] = [
  { id: 'Name', header: 'Name', width: 'minmax(150px, 1.2fr)', value: (plugin) => plugin.Name },
  { id: 'Provider', header: 'Provider', width: 'minmax(110px, 0.8fr)', value: (plugin) => plugin.Provider },
  {
    id: 'State',
    header: 'State',
    width: 'minmax(120px, 0.8fr)',
    value: stateOf,
    cell: (plugin) => <Chip tone={stateOf(plugin) === 'Available' ? 'ok' : 'danger'}>{stateOf(plugin)}</Chip>,
  },
  {
    id: 'Callbacks',
    header: 'Callbacks',
    width: 'minmax(160px, 1.6fr)',
    from: 520,
    value: (plugin) =>
      callbacksOf(plugin)
        .map((entry) => entry.action)
        .join(', '),
  },
];

function stateOf(plugin: Plugin): string {
  const faults = plugin.Errors.length + plugin.PluginErrors.length;
  if (faults > 0) return faults === 1 ? '1 error' : `${faults} errors`;
  return plugin.Available ? 'Available' : 'Not available';
}

export function CallbacksScreen() {
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Plugin>();
  return (
    <>
      <ListScreen
        prefix="plugins"
        title="Callback configuration"
        icon={IconWebhook}
        columns={COLUMNS}
        about="A plugin instance with the provider callback sends web requests to external services when actions or stages ask for it."
        newLabel="New instance"
        onNew={() => setCreating(true)}
        onDelete={setDeleting}
        panel={(key, close) => <PluginPanel key={key} name={key} onClose={close} onDelete={setDeleting} />}
      />
      {creating ? <CreatePluginDialog onClose={() => setCreating(false)} /> : null}
      {deleting ? (
        <DeleteDialog
          prefix="plugins"
          objectKey={deleting.Name}
          name={deleting.Name}
          onClose={() => setDeleting(undefined)}
        >
          <p>
            Its configuration goes with it:{' '}
            {callbacksOf(deleting)
              .map((entry) => entry.action)
              .join(', ') || 'no callbacks'}
            . Actions and stages that use them fail from then on.
          </p>
        </DeleteDialog>
      ) : null}
    </>
  );
}
