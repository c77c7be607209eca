import { expect, test } from 'vitest';
import { KeyedPrompts } from '../../src/open-sessions/keyed-prompts.ts';

const { signal } = new AbortController();
const prompt = [{ type: 'text', text: 'Hi' }] as const;

test('a prompt that could not be inserted may be sent again with its key', async () => {
  const prompts = new KeyedPrompts(new Map([['old', { messageId: 'm-1', prompt }]]));
  let inserted = 0;
  const insert = (): Promise<string> => Promise.resolve(`m-${++inserted + 1}`);
  const failed = prompts.once('new', prompt, {
    insert: () => Promise.reject(new Error('withdrawn')),
    signal,
  });
  await expect(failed).rejects.toThrow('withdrawn');
  expect([
    await prompts.once('old', prompt, { insert, signal }),
    await prompts.once('new', prompt, { insert, signal }),
    await prompts.once('new', prompt, { insert, signal }),
    inserted,
  ]).toEqual(['m-1', 'm-2', 'm-2', 1]);
});

test('cancelling a repeated request does not withdraw the prompt', async () => {
  const prompts = new KeyedPrompts(new Map());
  let finish = (_: string): void => undefined;
  const insert = (): Promise<string> => new Promise((resolve) => (finish = resolve));
  const first = prompts.once('key', prompt, { insert, signal });
  const repeat = prompts.once('key', prompt, { insert, signal: AbortSignal.abort() });
  await expect(repeat).rejects.toMatchObject({ code: -32800 });
  finish('m');
  expect(await first).toBe('m');
});
