import { type RefObject, useEffect } from 'react';
import { isTyping } from '../../ui/typing.ts';

/** `/` outside of texts, and Ctrl/Cmd+F anywhere on the screen, go to the filter of its list. A dialog keeps its keys. */
export function useFilterKeys(filter: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || !asksForFilter(event)) return;
      if (!filter.current || document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      filter.current.focus();
      filter.current.select();
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [filter]);
}

function asksForFilter({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'f' && !shiftKey;
  // On many keyboards the slash is typed with Shift.
  return key === '/' && !isTyping(target);
}
