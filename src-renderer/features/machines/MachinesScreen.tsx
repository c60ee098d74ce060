import { IconServer2 } from '@tabler/icons-react';
import { useState } from 'react';
import type { Machine } from '../../api/types.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { DeleteDialog } from '../common/DeleteDialog.tsx';
import { ListScreen } from '../common/ListScreen.tsx';
import { CreateMachineDialog } from './CreateMachineDialog.tsx';
import { MachinePanel } from './MachinePanel.tsx';
import { MachineState, stateWord } from './MachineState.tsx';

const COLUMNS: readonly Column<Machine>[] = [
  { id: 'Name', header: 'Name', width: 'minmax(170px, 1.6fr)', value: (machine) => machine.Name },
  {
    id: 'State',
    header: 'State',
    width: 'minmax(120px, 0.8fr)',
    value: stateWord,
    cell: (machine) => <MachineState machine={machine} />,
  },
  {
    id: 'Address',
    header: 'Address',
    width: 'minmax(120px, 1fr)',
    from: 460,
    mono: true,
    value: (machine) => machine.Address,
  },
  { id: 'Stage', header: 'Stage', width: 'minmax(90px, 0.8fr)', from: 620, value: (machine) => machine.Stage },
  {
    id: 'Uuid',
    header: 'UUID',
    width: 'minmax(280px, 1.5fr)',
    from: 860,
    mono: true,
    value: (machine) => machine.Uuid,
  },
];

export function MachinesScreen() {
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Machine>();
  return (
    <>
      <ListScreen
        prefix="machines"
        title="Machines"
        icon={IconServer2}
        columns={COLUMNS}
        about="A machine is what the service provisions: a name, an address, params, and the actions plugins offer for it."
        newLabel="New machine"
        onNew={() => setCreating(true)}
        onDelete={setDeleting}
        panel={(key, close) => <MachinePanel key={key} uuid={key} onClose={close} onDelete={setDeleting} />}
      />
      {creating ? <CreateMachineDialog onClose={() => setCreating(false)} /> : null}
      {deleting ? (
        <DeleteDialog
          prefix="machines"
          objectKey={deleting.Uuid}
          name={deleting.Name}
          onClose={() => setDeleting(undefined)}
        >
          <p>
            The record with its {count(Object.keys(deleting.Params).length, 'param')} and{' '}
            {count(deleting.Profiles.length, 'profile assignment')} is removed, and its tokens stop working. The
            computer itself is not touched.
          </p>
        </DeleteDialog>
      ) : null}
    </>
  );
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
