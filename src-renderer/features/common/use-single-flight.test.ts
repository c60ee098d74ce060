import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { useSingleFlight } from './use-single-flight.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

it('does nothing when pressed again before the answer is there, and works again after it, even a bad one', async () => {
  const answers: PromiseWithResolvers<void>[] = [];
  let press = (): void => undefined;
  const Form = () => {
    press = useSingleFlight(() => {
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    });
    return null;
  };
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(createElement(Form)));
  press();
  press();
  await act(async () => root.render(createElement(Form)));
  press();
  expect(answers).toHaveLength(1);
  await act(async () => answers[0]?.reject(new Error('refused')));
  press();
  expect(answers).toHaveLength(2);
  await act(async () => root.unmount());
});
