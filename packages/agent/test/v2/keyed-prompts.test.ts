import { expect, test } from 'vitest';
import { KeyedPrompts } from '../../src/open-sessions/keyed-prompts.ts';

const prompt = [{ type: 'text', text: 'Hi' }] as const;

test('a prompt that could not be inserted may be sent again with its key', async () => {
  const prompts = new KeyedPrompts(new Map([['old', { messageId: 'm-1', prompt }]]));
  let inserted = 0;
  const insert = (): Promise<string> => Promise.resolve(`m-${++inserted + 1}`);
  const failed = prompts.once('new', prompt, () => Promise.reject(new Error('withdrawn')));
  await expect(failed).rejects.toThrow('withdrawn');
  expect([
    await prompts.once('old', prompt, insert),
    await prompts.once('new', prompt, insert),
    await prompts.once('new', prompt, insert),
    inserted,
  ]).toEqual(['m-1', 'm-2', 'm-2', 1]);
});
