import { Button, Select } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconFilterOff, IconRefresh, IconSend2 } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Delivery } from '../../../src-main/contract/deliveries.ts';
import { useCan } from '../../api/can.ts';
import { curlOf } from '../../api/curl.ts';
import {
  deliveriesPath,
  deliveriesQuery,
  durationOf,
  FILTERS,
  type Filter,
  filterOf,
  LISTED,
} from '../../api/deliveries.ts';
import { hrefTo } from '../../paths.ts';
import { Blank, Loading } from '../../ui/Blank.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { CopyCurl } from '../../ui/Notice.tsx';
import { formatSort, parseSort } from '../../ui/sorting.ts';
import { localTime, milliseconds } from '../../ui/time.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import { FailedList, isServerGone } from '../common/FailedList.tsx';
import { FilterBox } from '../common/FilterBox.tsx';
import classes from '../common/ListScreen.module.css';
import { useFilterKeys } from '../common/use-filter-keys.ts';
import { useScreen } from '../common/use-screen.ts';
import { DeliveryPanel } from './DeliveryPanel.tsx';
import { StateChip } from './DeliveryState.tsx';
import { ReplayFailedDialog } from './ReplayFailedDialog.tsx';
import { useMachineNames } from './use-machine-names.ts';

const LABELS: Readonly<Record<Filter, string>> = {
  unfinished: 'Not finished',
  ok: 'OK',
  failed: 'Failed',
  held: 'Held',
  cancelled: 'Cancelled',
};

const NEWEST_FIRST = 'Time.desc';

/** What was sent, or waits to be: newest first, with the attempts of one delivery in the panel. */
export function DeliveriesScreen() {
  useDocumentTitle('Deliveries · Proviso');
  const { search, update } = useScreen();
  const chosen = filterOf(search.state);
  const query = useQuery({ ...deliveriesQuery(chosen), placeholderData: keepPreviousData });
  const can = useCan();
  const filter = useRef<HTMLInputElement>(null);
  const region = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<number>();
  useFilterKeys(filter);
  const [replaying, setReplaying] = useState(false);
  const nameOf = useMachineNames();
  const columns = useMemo(() => columnsWith(nameOf), [nameOf]);
  const sorting = useMemo(
    () =>
      parseSort(
        search.sort ?? NEWEST_FIRST,
        columns.map((column) => column.id),
      ),
    [search.sort, columns],
  );
  const grid = () => region.current?.querySelector<HTMLElement>('[role="grid"]');
  const close = () => {
    update({ sel: undefined, tab: undefined });
    grid()?.focus();
  };
  const data = query.data;
  return (
    <div className={classes['screen']} ref={region}>
      <div className={classes['list']}>
        <div className={classes['head']}>
          <h1>Deliveries</h1>
          <p className={classes['count']} aria-live="polite">
            {data ? countText(data.rows.length, data.total, chosen, search.q ? shown : undefined) : ''}
          </p>
          <div className={classes['tools']}>
            <Select
              aria-label="State"
              size="xs"
              w={128}
              placeholder="Any state"
              clearable
              clearButtonProps={{ 'aria-label': 'Any state' }}
              data={(Object.keys(FILTERS) as Filter[]).map((value) => ({ value, label: LABELS[value] }))}
              value={chosen ?? null}
              onChange={(state) => update({ state: state ?? undefined }, { replace: true })}
            />
            <FilterBox ref={filter} label="Filter deliveries" onDone={() => grid()?.focus()} />
            <CopyCurl text={curlOf(location.origin, { method: 'GET', path: deliveriesPath(chosen) })} />
            <GuardedButton
              size="xs"
              leftSection={<IconRefresh size={15} aria-hidden />}
              locked={can.locked('deliveries', 'replay')}
              onClick={() => setReplaying(true)}
            >
              Replay failed
            </GuardedButton>
          </div>
        </div>
        {data && query.error && !isServerGone(query.error) ? (
          <div className={classes['banner']}>
            <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
          </div>
        ) : null}
        {data ? (
          data.rows.length === 0 ? (
            <NoDeliveries chosen={chosen} onClear={() => update({ state: undefined })} />
          ) : (
            <DataTable
              label="Deliveries"
              rows={data.rows}
              columns={columns}
              keyOf={idOf}
              filter={search.q ?? ''}
              sorting={sorting}
              onSort={(next) => update({ sort: formatSort(next) }, { replace: true })}
              opened={search.sel}
              onOpen={(sel) => update({ sel })}
              onCount={setShown}
              whenFilteredEmpty={
                <Blank
                  icon={IconFilterOff}
                  title={`No delivery matches “${search.q ?? ''}”`}
                  actions={<Button onClick={() => update({ q: undefined })}>Clear filter</Button>}
                />
              }
            />
          )
        ) : query.error ? (
          <FailedList
            what="deliveries"
            claim="deliveries list *"
            error={query.error}
            retry={() => void query.refetch()}
          />
        ) : (
          <Loading what="deliveries" />
        )}
      </div>
      {search.sel === undefined ? null : <DeliveryPanel key={search.sel} id={search.sel} onClose={close} />}
      {replaying ? <ReplayFailedDialog onClose={() => setReplaying(false)} /> : null}
    </div>
  );
}

const idOf = (row: Delivery): string => row.Id;

function columnsWith(nameOf: (uuid: string) => string): readonly Column<Delivery>[] {
  return [
    {
      id: 'Time',
      header: 'Time',
      width: 'minmax(96px, 0.9fr)',
      value: (row) => row.Time,
      cell: (row) => (
        <time dateTime={row.Time} title={row.Time}>
          {localTime(row.Time)}
        </time>
      ),
    },
    {
      id: 'Machine',
      header: 'Machine',
      width: 'minmax(120px, 1.6fr)',
      value: (row) => nameOf(row.Machine),
    },
    { id: 'Plugin', header: 'Plugin', width: 'minmax(90px, 0.8fr)', from: 880, value: (row) => row.Plugin },
    { id: 'Action', header: 'Action', width: 'minmax(90px, 1fr)', from: 460, value: (row) => row.Action },
    { id: 'Trigger', header: 'Trigger', width: 'minmax(90px, 0.8fr)', from: 780, value: (row) => row.Trigger },
    { id: 'Attempts', header: 'Attempts', width: '92px', from: 580, value: (row) => row.AttemptCount },
    {
      id: 'State',
      header: 'State',
      width: '112px',
      value: (row) => row.State,
      cell: (row) => <StateChip state={row.State} />,
    },
    {
      id: 'Duration',
      header: 'Duration',
      width: '100px',
      from: 690,
      value: (row) => durationOf(row) ?? -1,
      cell: (row) => {
        const ms = durationOf(row);
        return ms === undefined ? 'not finished' : milliseconds(ms);
      },
    },
  ];
}

/** All there are, how many the filters leave, and that older ones are left out. */
function countText(listed: number, total: number, chosen: Filter | undefined, shown: number | undefined): string {
  const all = `${total.toLocaleString()} ${total === 1 ? 'delivery' : 'deliveries'}`;
  if (shown !== undefined && shown !== listed) return `${shown.toLocaleString()} of ${all}`;
  if (listed >= LISTED && (chosen !== undefined || total > listed)) return `newest ${LISTED} of ${all}`;
  return chosen === undefined || listed === total ? all : `${listed.toLocaleString()} of ${all}`;
}

function NoDeliveries({ chosen, onClear }: { chosen: Filter | undefined; onClear: () => void }) {
  if (chosen === undefined) {
    return (
      <Blank
        icon={IconSend2}
        title="No deliveries yet"
        actions={
          <Button component="a" href={hrefTo('callbacks', {})}>
            Configure callbacks
          </Button>
        }
      >
        <p>
          A delivery is one request of a callback to an external service, with all its attempts. It appears when an
          action callbackDo, a stage or a failed job sends one.
        </p>
      </Blank>
    );
  }
  return (
    <Blank
      icon={IconFilterOff}
      title={`No delivery is in the state “${LABELS[chosen]}”`}
      actions={<Button onClick={onClear}>Any state</Button>}
    />
  );
}
