import { Modal } from '@mantine/core';
import classes from './ShortcutSheet.module.css';
import { useViewState } from './view-state.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['/ or Ctrl+F', 'Filter the current list'],
  ['N', 'New (list has the focus)'],
  ['Del', 'Delete (list has the focus)'],
  ['Arrows, Home, End, PgUp, PgDn', 'Move in the list'],
  ['Enter', 'Open the panel'],
  ['Esc', 'Close the top layer; drafts are kept'],
  ['Ctrl+S', 'Save'],
  ['Ctrl+Z', 'Undo the last save (outside of text fields)'],
  ['Ctrl+B', 'Collapse the navigation'],
  ['F6, Shift+F6', 'Next or previous region'],
  ['?', 'This sheet'],
];

export function ShortcutSheet() {
  const { shortcutsOpen, showShortcuts } = useViewState();
  return (
    <Modal opened={shortcutsOpen} onClose={() => showShortcuts(false)} title="Keyboard shortcuts" size={440}>
      <dl className={classes['keys']}>
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
