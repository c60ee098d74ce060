import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ScreenSearch } from '../../paths.ts';

interface ScreenState {
  readonly search: ScreenSearch;
  /** Changes part of the address. Typing replaces the entry, opening something adds one, so Back works. */
  update(change: ScreenSearch, options?: { replace?: boolean }): void;
}

/** The view state of the current screen, which is its address. */
export function useScreen(): ScreenState {
  const search: ScreenSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const update = useCallback(
    (change: ScreenSearch, options?: { replace?: boolean }) =>
      void navigate({
        to: '.',
        search: (before: ScreenSearch) => ({ ...before, ...change }),
        replace: options?.replace ?? false,
      }),
    [navigate],
  );
  return { search, update };
}
