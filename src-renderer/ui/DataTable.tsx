// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot be virtualised row by row; the ARIA grid pattern can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop; rows are reached by aria-activedescendant
import { useElementSize } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import {
  type ColumnDef,
  getCoreRowModel,
  getFilteredRowModel,
  getSortedRowModel,
  type Row,
  type SortingState,
  useReactTable,
} from '@tanstack/react-table';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import classes from './DataTable.module.css';
import { matchesFilter, parseFilter, type Term } from './filter.ts';

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** What sorting and filtering see; also the cell's text unless `cell` draws it. */
  readonly value: (row: T) => string | number;
  readonly cell?: (row: T) => ReactNode;
  /** CSS grid track, e.g. `minmax(160px, 2fr)`. */
  readonly width: string;
  /** Hidden while the table is narrower than this, in px. */
  readonly from?: number;
  readonly mono?: boolean;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly filter: string;
  readonly sorting: SortingState;
  readonly onSort: (next: SortingState) => void;
  /** Key of the row whose panel is open. */
  readonly opened: string | undefined;
  readonly onOpen: (key: string) => void;
  /** Keys with list focus only: N, Delete and the like. The row is the one under the cursor. */
  readonly onKey?: (event: KeyboardEvent, row: T | undefined) => void;
  /** Told after filtering, for the count beside the filter. */
  readonly onCount?: (shown: number) => void;
  /** Takes the room of the rows when the filter leaves none. */
  readonly whenFilteredEmpty: ReactNode;
}

const ROW = 38;
const PAGE = 10;

/** A virtualised grid with one tab stop: arrows move the cursor, Enter opens. Works the same at 10 and 10,000 rows. */
export function DataTable<T>(props: DataTableProps<T>) {
  const id = useId();
  const { ref: measure, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useMemo(
    () => props.columns.filter((c) => c.from === undefined || width === 0 || width >= c.from),
    [props.columns, width],
  );
  const rows = useRows(props);
  const [cursorKey, setCursorKey] = useState<string>();
  const cursor = rows.findIndex((row) => row.id === (cursorKey ?? props.opened));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    scrollPaddingStart: ROW,
    // The cursor's row stays in the document, or aria-activedescendant would point at nothing.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return cursor < 0 || shown.includes(cursor) ? shown : [...shown, cursor].sort((a, b) => a - b);
    },
  });

  const { onCount, opened } = props;
  useEffect(() => onCount?.(rows.length), [onCount, rows.length]);
  useEffect(() => setCursorKey(opened), [opened]);

  const moveTo = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[target];
    if (!row) return;
    setCursorKey(row.id);
    virtual.scrollToIndex(target);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== scroller.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = {
      ArrowDown: cursor + 1,
      ArrowUp: cursor - 1,
      PageDown: cursor + PAGE,
      PageUp: cursor - PAGE,
      Home: 0,
      End: rows.length - 1,
    };
    const step = steps[event.key];
    const current = rows[cursor];
    if (step !== undefined) moveTo(step);
    else if (event.key === 'Enter' && current) props.onOpen(current.id);
    else {
      props.onKey?.(event, current?.original);
      return;
    }
    event.preventDefault();
  };

  const template = columns.map((c) => c.width).join(' ');
  return (
    <div ref={measure} className={classes['frame']}>
      <div
        ref={scroller}
        className={classes['grid']}
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={cursor >= 0 ? `${id}-${cursor}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={classes['head']}>
          <div role="row" aria-rowindex={1} className={classes['row']} style={{ gridTemplateColumns: template }}>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={props.sorting} onSort={props.onSort} />
            ))}
          </div>
        </div>
        {rows.length === 0 ? (
          <div role="rowgroup">
            <div role="row">
              <div role="gridcell" aria-colspan={columns.length}>
                {props.whenFilteredEmpty}
              </div>
            </div>
          </div>
        ) : (
          <div role="rowgroup" className={classes['body']} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              return row ? (
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid does the same
                <div
                  key={row.id}
                  id={`${id}-${item.index}`}
                  role="row"
                  aria-rowindex={item.index + 2}
                  aria-selected={row.id === props.opened}
                  data-cursor={item.index === cursor || undefined}
                  className={classes['row']}
                  style={{ gridTemplateColumns: template, transform: `translateY(${item.start}px)` }}
                  onClick={() => {
                    setCursorKey(row.id);
                    props.onOpen(row.id);
                  }}
                >
                  {columns.map((column) => (
                    <div
                      key={column.id}
                      role="gridcell"
                      className={classes['cell']}
                      data-mono={column.mono || undefined}
                    >
                      {column.cell ? column.cell(row.original) : column.value(row.original)}
                    </div>
                  ))}
                </div>
              ) : null;
            })}
          </div>
        )}
      </div>
    </div>
  );
}

/** Rows after filter and sort; ids are the object keys. */
function useRows<T>({ rows, columns, keyOf, filter, sorting }: DataTableProps<T>): Row<T>[] {
  const definitions = useMemo<ColumnDef<T>[]>(
    () => columns.map((c) => ({ id: c.id, accessorFn: c.value, sortingFn: 'alphanumeric', sortDescFirst: false })),
    [columns],
  );
  const terms = useMemo(() => parseFilter(filter), [filter]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useReactTable<T>({
    data,
    columns: definitions,
    state: { sorting, globalFilter: terms },
    getRowId: keyOf,
    getCoreRowModel: getCoreRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getColumnCanGlobalFilter: (column) => column.id === columns[0]?.id,
    // Called for the first column only; looks at the whole row, because terms may hit different columns.
    globalFilterFn: (row: Row<T>, _column: string, wanted: Term[]) =>
      matchesFilter(
        wanted,
        new Map(columns.map((c) => [c.header.toLowerCase(), String(c.value(row.original)).toLowerCase()])),
      ),
  });
  return table.getRowModel().rows;
}

interface HeaderCellProps<T> {
  readonly column: Column<T>;
  readonly sorting: SortingState;
  readonly onSort: (next: SortingState) => void;
}

function HeaderCell<T>({ column, sorting, onSort }: HeaderCellProps<T>) {
  const current = sorting.find((s) => s.id === column.id);
  const direction = current === undefined ? 'none' : current.desc ? 'descending' : 'ascending';
  const toggle = (add: boolean) => {
    const next = [{ id: column.id, desc: current !== undefined && !current.desc }];
    onSort(add ? [...sorting.filter((s) => s.id !== column.id), ...next] : next);
  };
  return (
    <div role="columnheader" aria-sort={direction} className={classes['header']}>
      <button type="button" className={classes['sort']} onClick={(event) => toggle(event.shiftKey)}>
        {column.header}
        {direction === 'ascending' ? <IconArrowUp size={13} aria-hidden /> : null}
        {direction === 'descending' ? <IconArrowDown size={13} aria-hidden /> : null}
      </button>
    </div>
  );
}
