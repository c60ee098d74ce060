import { ActionIcon } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './SnackbarHost.module.css';
import { type Snackbar, useSnackbars } from './snackbars.ts';

const SHOWN_MS = 10_000;

/** The live region is always in the document, or screen readers miss the first message. */
export function SnackbarHost() {
  const items = useSnackbars((state) => state.items);
  useUndoKey();
  return (
    <section className={classes['host']} aria-label="Notifications" aria-live="polite">
      {items.map((item) => (
        <Bar key={item.id} item={item} />
      ))}
    </section>
  );
}

function Bar({ item }: { item: Snackbar }) {
  const dismiss = useSnackbars((state) => state.dismiss);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(item.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, dismiss, item.id]);
  const Icon = item.tone === 'ok' ? IconCircleCheck : IconCircleX;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer
    <div
      className={classes['bar']}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={17} aria-hidden data-tone={item.tone} className={classes['icon']} />
      <span className={classes['text']}>{item.text}</span>
      {item.undo ? (
        <button
          type="button"
          className={classes['undo']}
          onClick={() => {
            item.undo?.();
            dismiss(item.id);
          }}
        >
          Undo
        </button>
      ) : null}
      <ActionIcon size={26} aria-label="Dismiss" onClick={() => dismiss(item.id)}>
        <IconX size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Ctrl/Cmd+Z outside of text fields takes back the last save still shown. */
function useUndoKey() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable="true"]'))
        return;
      const { items, dismiss } = useSnackbars.getState();
      const last = items.findLast((item) => item.undo);
      if (!last) return;
      event.preventDefault();
      last.undo?.();
      dismiss(last.id);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
