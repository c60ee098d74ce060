import { expect, test } from 'vitest';
import { CLOSE_QUESTION, choiceOfButton, whatCloseMeans } from './close.ts';

test('a quitting app lets its window go, whatever was chosen', () => {
  for (const choice of ['ask', 'keep-running', 'quit'] as const) expect(whatCloseMeans(choice, true)).toBe('let-go');
});

test('the choice decides while the app runs', () => {
  expect(whatCloseMeans('ask', false)).toBe('ask');
  expect(whatCloseMeans('keep-running', false)).toBe('hide');
  expect(whatCloseMeans('quit', false)).toBe('quit');
});

test('every button says what it does, and cancelling chooses nothing', () => {
  expect(CLOSE_QUESTION.buttons.map((_label, index) => choiceOfButton(index))).toEqual([
    'keep-running',
    'quit',
    undefined,
  ]);
  expect(choiceOfButton(CLOSE_QUESTION.cancelId)).toBeUndefined();
});
