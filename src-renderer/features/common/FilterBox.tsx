import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Ref } from 'react';
import classes from './ListScreen.module.css';
import { useScreen } from './use-screen.ts';

interface FilterBoxProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  /** Enter or arrow down: on to the list. */
  readonly onDone: () => void;
}

/** The text filter of a list; its text is part of the address. */
export function FilterBox({ ref, label, onDone }: FilterBoxProps) {
  const { search, update } = useScreen();
  return (
    <TextInput
      ref={ref}
      className={classes['filter'] ?? ''}
      size="xs"
      aria-label={label}
      placeholder="Filter"
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        search.q ? (
          <CloseButton size={24} aria-label="Clear filter" onClick={() => update({ q: undefined })} />
        ) : (
          <kbd aria-hidden>/</kbd>
        )
      }
      value={search.q ?? ''}
      onChange={(event) => update({ q: event.currentTarget.value }, { replace: true })}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' || event.key === 'Enter') onDone();
        if (event.key === 'Escape') update({ q: undefined }, { replace: true });
      }}
    />
  );
}
