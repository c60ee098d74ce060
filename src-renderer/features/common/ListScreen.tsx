import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconFilterOff, IconPlus, type IconProps } from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { type Can, type Locked, useCan } from '../../api/can.ts';
import { pathOf } from '../../api/client.ts';
import { curlOf } from '../../api/curl.ts';
import { draftId, useDrafts } from '../../api/drafts.ts';
import { useList } from '../../api/queries.ts';
import { keyOf, NOUN, type ObjectOf, type Prefix } from '../../api/types.ts';
import { Blank, Loading } from '../../ui/Blank.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { CopyCurl } from '../../ui/Notice.tsx';
import { formatSort, parseSort } from '../../ui/sorting.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { DeniedList, FailedList, isServerGone } from './FailedList.tsx';
import { FilterBox } from './FilterBox.tsx';
import classes from './ListScreen.module.css';
import { useFilterKeys } from './use-filter-keys.ts';
import { useScreen } from './use-screen.ts';

interface ListScreenProps<P extends Prefix> {
  readonly prefix: P;
  readonly title: string;
  readonly icon: ComponentType<IconProps>;
  readonly columns: readonly Column<ObjectOf<P>>[];
  /** What the object is, in one sentence: for the empty list. */
  readonly about: string;
  readonly newLabel: string;
  readonly onNew: () => void;
  readonly onDelete: (object: ObjectOf<P>) => void;
  readonly panel: (key: string, close: () => void) => ReactNode;
  readonly banner?: ReactNode;
}

/** A screen of one kind of object: heading with counts, filter, table, and the panel of the opened one. */
export function ListScreen<P extends Prefix>(props: ListScreenProps<P>) {
  const { prefix } = props;
  const { search, update } = useScreen();
  const query = useList(prefix);
  const can = useCan();
  const filter = useRef<HTMLInputElement>(null);
  const region = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<number>();
  useFilterKeys(filter);
  const createLocked = can.locked(prefix, 'create');
  useDocumentTitle(`${props.title} · Proviso`);
  const markOf = useDraftMarks(prefix);
  const keyOfRow = useCallback((row: ObjectOf<P>) => keyOf(prefix, row), [prefix]);
  const sorting = useMemo(
    () =>
      parseSort(
        search.sort,
        props.columns.map((c) => c.id),
      ),
    [search.sort, props.columns],
  );
  const total = query.data?.rows.length;
  const close = () => {
    update({ sel: undefined, tab: undefined });
    region.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  const onKey = (event: KeyboardEvent, row: ObjectOf<P> | undefined) => {
    if (event.key === 'n' && createLocked === undefined) props.onNew();
    else if (event.key === 'Delete' && row && can.locked(prefix, 'delete', keyOf(prefix, row)) === undefined) {
      props.onDelete(row);
    } else return;
    event.preventDefault();
  };

  return (
    <div className={classes['screen']} ref={region}>
      <div className={classes['list']}>
        <div className={classes['head']}>
          <h1>{props.title}</h1>
          <p className={classes['count']} aria-live="polite">
            {total === undefined ? '' : countText(prefix, total, search.q ? shown : undefined)}
          </p>
          <div className={classes['tools']}>
            <FilterBox
              ref={filter}
              label={`Filter ${NOUN[prefix].many}`}
              onDone={() => region.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()}
            />
            <CopyCurl text={curlOf(location.origin, { method: 'GET', path: pathOf(prefix) })} />
            <GuardedButton
              variant="filled"
              size="xs"
              leftSection={<IconPlus size={15} aria-hidden />}
              locked={createLocked}
              onClick={props.onNew}
            >
              {props.newLabel}
            </GuardedButton>
          </div>
        </div>
        {props.banner ? <div className={classes['banner']}>{props.banner}</div> : null}
        {query.data && query.error && !isServerGone(query.error) ? (
          <div className={classes['banner']}>
            <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
          </div>
        ) : null}
        {query.data ? (
          query.data.rows.length === 0 ? (
            <EmptyList {...props} can={can} createLocked={createLocked} />
          ) : (
            <DataTable
              label={props.title}
              rows={query.data.rows}
              columns={props.columns}
              keyOf={keyOfRow}
              markOf={markOf}
              filter={search.q ?? ''}
              sorting={sorting}
              onSort={(next) => update({ sort: formatSort(next) }, { replace: true })}
              opened={search.sel}
              onOpen={(key) => update({ sel: key })}
              onKey={onKey}
              onCount={setShown}
              whenFilteredEmpty={
                <Blank
                  icon={IconFilterOff}
                  title={`No ${NOUN[prefix].one} matches “${search.q ?? ''}”`}
                  actions={<Button onClick={() => update({ q: undefined })}>Clear filter</Button>}
                />
              }
            />
          )
        ) : query.error ? (
          <FailedList
            what={NOUN[prefix].many}
            claim={`${prefix} list *`}
            error={query.error}
            retry={() => void query.refetch()}
          />
        ) : (
          <Loading what={NOUN[prefix].many} />
        )}
      </div>
      {search.sel === undefined ? null : props.panel(search.sel, close)}
    </div>
  );
}

function countText(prefix: Prefix, total: number, shown: number | undefined): string {
  const noun = total === 1 ? NOUN[prefix].one : NOUN[prefix].many;
  const all = `${total.toLocaleString()} ${noun}`;
  return shown === undefined || shown === total ? all : `${shown.toLocaleString()} of ${all}`;
}

/** Objects with unsaved changes carry a mark in the first column. */
function useDraftMarks<P extends Prefix>(prefix: P) {
  const drafts = useDrafts((state) => state.byObject);
  return (row: ObjectOf<P>) => (drafts[draftId(prefix, keyOf(prefix, row))] ? <Chip tone="draft">Draft</Chip> : null);
}

/** Nothing to list: nothing exists, the tenant shows none, or the caller may not list them. Three different texts. */
function EmptyList<P extends Prefix>(props: ListScreenProps<P> & { can: Can; createLocked: Locked }) {
  const { prefix, can } = props;
  const tenants = useList('tenants').data?.rows;
  const denied = can.locked(prefix, 'list');
  if (denied?.startsWith('Requires')) return <DeniedList what={NOUN[prefix].many} requires={denied} />;
  const tenant = tenants?.find((t) => t.Users.includes(can.user) && prefix in t.Members);
  if (tenant) {
    return (
      <Blank icon={props.icon} title={`Your tenant lists 0 ${NOUN[prefix].many}`}>
        <p>The tenant {tenant.Name} restricts what you see here. An administrator can add members to it.</p>
      </Blank>
    );
  }
  return (
    <Blank
      icon={props.icon}
      title={`No ${NOUN[prefix].many} yet`}
      actions={
        <GuardedButton
          variant="filled"
          locked={props.createLocked}
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={props.onNew}
        >
          {props.newLabel}
        </GuardedButton>
      }
    >
      <p>{props.about}</p>
    </Blank>
  );
}
