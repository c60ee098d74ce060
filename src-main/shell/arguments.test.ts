import { expect, test } from 'vitest';
import { readDesktopArguments } from './arguments.ts';

const read = (...argv: string[]) => readDesktopArguments(argv, '/home/ana');

test('finds its own arguments among those of Chromium', () => {
  expect(read('--no-sandbox', '/opt/app', '--data', 'lab', '--port=0')).toEqual({ dataDir: '/home/ana/lab', port: 0 });
  expect(read('--user-data-dir=/x', '--database', 'no')).toEqual({ dataDir: undefined, port: undefined });
});

test('the last of several wins, as with every other switch', () => {
  expect(read('--port', '1', '--port', '2').port).toBe(2);
});

test.each([
  [['--port', 'https'], '--port takes a number from 0 to 65535, not "https".'],
  [['--port', '65536'], '--port takes a number from 0 to 65535, not "65536".'],
  [['--data'], '--data needs a value.'],
  [['--data='], '--data needs a value.'],
  [['--data', '--port', '1'], '--data needs a value.'],
])('%j is refused with a sentence', (argv, sentence) => {
  expect(() => read(...argv)).toThrow(sentence);
});
