import { expect, test } from 'vitest';
import { choosePlainly } from '../src/questions/plain-choice.ts';

test('a list in lines does not fetch choices any longer once it is printed', async () => {
  const signals: AbortSignal[] = [];
  const wasEnded: boolean[] = [];
  const chosen = await choosePlainly(
    { say: () => void wasEnded.push(...signals.map(({ aborted }) => aborted)), askLine: () => Promise.resolve('2') },
    {
      title: 'Which?',
      choices: [],
      load: (offer, signal) => {
        signals.push(signal);
        offer(
          ['a', 'b'].map((label) => ({ label, value: label })),
          '',
        );
        return Promise.resolve();
      },
    },
  );
  expect([chosen, wasEnded]).toEqual(['b', [true]]);
});
