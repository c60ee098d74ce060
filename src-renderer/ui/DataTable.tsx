// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot be virtualised row by row; the ARIA grid pattern can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one tab stop; rows are reached by aria-activedescendant
import { useElementSize } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { type Arrangeable, createArranger } from './arrange.ts';
import classes from './DataTable.module.css';
import type { Sorting } from './sorting.ts';

/** `value` is what order and filter see; also the cell's text unless `cell` draws it. */
export interface Column<T> extends Arrangeable<T> {
  readonly cell?: (row: T) => ReactNode;
  /** CSS grid track, e.g. `minmax(160px, 2fr)`. */
  readonly width: string;
  /** Hidden while the table is narrower than this, in px. */
  readonly from?: number;
  readonly mono?: boolean;
}

interface DataTableProps<T extends object> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** Drawn behind the first cell's text. */
  readonly markOf?: ((row: T) => ReactNode) | undefined;
  readonly filter: string;
  readonly sorting: Sorting;
  readonly onSort: (next: Sorting) => void;
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
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const id = useId();
  const { ref: measure, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useMemo(
    () => props.columns.filter((c) => c.from === undefined || width === 0 || width >= c.from),
    [props.columns, width],
  );
  const { keyOf, markOf } = props;
  // Hidden columns are searched and sorted as well: what a filter finds must not depend on the window's width.
  const arrange = useMemo(() => createArranger(props.columns), [props.columns]);
  const rows = useMemo(
    () => arrange(props.rows, props.filter, props.sorting),
    [arrange, props.rows, props.filter, props.sorting],
  );
  const [cursorKey, setCursorKey] = useState<string>();
  const cursorAt = cursorKey ?? props.opened;
  const cursor = useMemo(
    () => (cursorAt === undefined ? -1 : rows.findIndex((row) => keyOf(row) === cursorAt)),
    [rows, keyOf, cursorAt],
  );
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
    setCursorKey(keyOf(row));
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
    else if (event.key === 'Enter' && current) props.onOpen(keyOf(current));
    else {
      props.onKey?.(event, current);
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
              if (!row) return null;
              const key = keyOf(row);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid does the same
                <div
                  key={key}
                  id={`${id}-${item.index}`}
                  role="row"
                  aria-rowindex={item.index + 2}
                  aria-selected={key === props.opened}
                  data-cursor={item.index === cursor || undefined}
                  className={classes['row']}
                  style={{ gridTemplateColumns: template, transform: `translateY(${item.start}px)` }}
                  onClick={() => {
                    setCursorKey(key);
                    props.onOpen(key);
                  }}
                >
                  {columns.map((column, at) => (
                    <Cell key={column.id} column={column} row={row} mark={at === 0 ? markOf?.(row) : undefined} />
                  ))}
                </div>
              );
            })}
          </div>
        )}
      </div>
    </div>
  );
}

/** Plain texts are cut at the edge of their column; the whole of them is the tooltip. */
function Cell<T>({ column, row, mark }: { column: Column<T>; row: T; mark: ReactNode }) {
  const value = column.value(row);
  return (
    <div
      role="gridcell"
      className={classes['cell']}
      data-mono={column.mono || undefined}
      title={column.cell ? undefined : String(value)}
    >
      {column.cell ? column.cell(row) : <bdi>{value}</bdi>} {mark}
    </div>
  );
}

interface HeaderCellProps<T> {
  readonly column: Column<T>;
  readonly sorting: Sorting;
  readonly onSort: (next: Sorting) => void;
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
