/**
 * What closing the window means.
 *
 *   app is quitting ──────────────► let-go
 *   choice keep-running ──────────► hide     (tray, or a second start, brings the window back)
 *   choice quit ──────────────────► quit
 *   choice ask ───► dialog ───────► hide or quit, remembered │ nothing, asked again next time
 */
import type { CloseChoice } from '../contract/desktop-bridge.ts';
import { KEEP_RUNNING_LABEL } from './menu.ts';

export type CloseMeaning = 'let-go' | 'hide' | 'quit' | 'ask';

export function whatCloseMeans(choice: CloseChoice, quitting: boolean): CloseMeaning {
  if (quitting) return 'let-go';
  switch (choice) {
    case 'keep-running':
      return 'hide';
    case 'quit':
      return 'quit';
    case 'ask':
      return 'ask';
  }
}

/** The question that is asked once. `cancelId` is what Escape and the dialog's own close button answer. */
export const CLOSE_QUESTION = {
  type: 'question',
  title: 'Proviso',
  message: 'Keep Proviso running after the window is closed?',
  detail:
    'Kept running, the server goes on answering and sending callbacks, and the tray icon or the next start opens the ' +
    `window again. The answer is remembered; "${KEEP_RUNNING_LABEL}" in the File menu changes it.`,
  buttons: ['Keep running', 'Quit', 'Cancel'],
  defaultId: 0,
  cancelId: 2,
  noLink: true,
} as const;

/** The choice behind a button of the question; undefined keeps the window open and the question unanswered. */
export function choiceOfButton(button: number): Exclude<CloseChoice, 'ask'> | undefined {
  if (button === 0) return 'keep-running';
  if (button === 1) return 'quit';
  return undefined;
}
