import { Button, Tooltip } from '@mantine/core';
import { useEffect } from 'react';
import classes from './SaveBar.module.css';

interface SaveBarProps {
  /** Names of the changed fields; empty hides the bar. */
  readonly changed: readonly string[];
  readonly saving: boolean;
  /** Why saving is not possible; the button stays visible and says it. */
  readonly locked: string | undefined;
  /** The object changed elsewhere while this draft was open. */
  readonly stale: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

/** Appears with the first change. Ctrl/Cmd+S saves from anywhere in the panel. */
export function SaveBar({ changed, saving, locked, stale, onSave, onDiscard }: SaveBarProps) {
  const active = changed.length > 0;
  const ready = active && !saving && locked === undefined;
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (ready) onSave();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [active, ready, onSave]);
  if (!active) return null;
  return (
    <div className={classes['bar']}>
      <p className={classes['text']} id="save-state">
        {locked ?? (stale ? 'Changed elsewhere meanwhile; saving merges. ' : '')}
        {locked ? '' : `Changed: ${changed.join(', ')}`}
      </p>
      <Button onClick={onDiscard} disabled={saving}>
        Discard
      </Button>
      <Tooltip label={locked ?? 'Ctrl+S'}>
        <Button
          variant="filled"
          loading={saving}
          {...(ready ? {} : { 'data-disabled': true })}
          aria-disabled={!ready}
          aria-describedby="save-state"
          onClick={() => ready && onSave()}
        >
          Save
        </Button>
      </Tooltip>
    </div>
  );
}
