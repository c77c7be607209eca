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

test('a session remembers the last 1,000 keys, and 16 Mi characters of prompts', async () => {
  const prompts = new KeyedPrompts(new Map());
  let inserted = 0;
  const insert = (): Promise<string> => Promise.resolve(`m-${++inserted}`);
  const send = (key: string, text: string): Promise<string> =>
    prompts.once(key, [{ type: 'text', text }], { insert, signal });
  for (let count = 1; count <= 1_001; count++) await send(`key-${count}`, 'Hi');
  const repeated = [await send('key-2', 'Hi'), await send('key-1', 'Hi')];
  const long = 'x'.repeat(9 * 2 ** 20);
  await send('long-1', long);
  await send('long-2', long);
  expect([...repeated, await send('long-2', long), await send('long-1', long)]).toEqual([
    'm-2',
    'm-1002',
    'm-1004',
    'm-1005',
  ]);
});
