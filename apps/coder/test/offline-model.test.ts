import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { offlineModel } from '../src/index.ts';

const prompt: LanguageModelV3Prompt = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: [{ type: 'text', text: 'read a.txt then delete a.txt' }] },
];

const read: LanguageModelV3Prompt = [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call-1-0', toolName: 'read', input: { path: 'a.txt' } }],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'call-1-0', toolName: 'read', output: { type: 'text', value: 'one' } },
    ],
  },
];

const denied: LanguageModelV3Prompt = [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call-1-1', toolName: 'delete', input: { path: 'a.txt' } }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call-1-1',
        toolName: 'delete',
        output: { type: 'execution-denied', reason: 'No.' },
      },
    ],
  },
];

async function partsOf(conversation: LanguageModelV3Prompt): Promise<readonly LanguageModelV3StreamPart[]> {
  const { stream } = await offlineModel.doStream({ prompt: conversation });
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

test('text that a client adds to an instruction is ignored, and two instructions are both carried out', async () => {
  const calls = async (...texts: readonly string[]): Promise<readonly unknown[]> => {
    const content = texts.map((text) => ({ type: 'text', text }) as const);
    const parts = await partsOf([{ role: 'user', content }]);
    return parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []));
  };
  expect([
    await calls('read a.txt', 'I ran this command: seq 1\n\n```\n1\n```'),
    await calls('at once: read a.txt; read b.txt', 'read c.txt'),
    await calls('Tell me more', 'read a.txt'),
  ]).toEqual([['read'], ['read', 'read'], []]);
});

test('one tool is called per step, streamed as by a provider', async () => {
  const input = '{"path":"a.txt"}';
  expect(await partsOf([...prompt, ...read])).toEqual([
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', modelId: 'offline' },
    { type: 'tool-input-start', id: 'call-1-1', toolName: 'delete' },
    { type: 'tool-input-delta', id: 'call-1-1', delta: input },
    { type: 'tool-input-end', id: 'call-1-1' },
    { type: 'tool-call', toolCallId: 'call-1-1', toolName: 'delete', input },
    { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: undefined } },
  ]);
});

test('the final report is the same each time', async () => {
  const whole = [...prompt, ...read, ...denied];
  const report = '`a.txt`:\n\n```\none\n```\n\n**Refused:** delete `a.txt`. No.';
  expect(await partsOf(whole)).toEqual([
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', modelId: 'offline' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: report },
    { type: 'text-end', id: '0' },
    { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } },
  ]);
  expect(await partsOf(whole)).toEqual(await partsOf(whole));
  expect((await offlineModel.doGenerate({ prompt: whole })).content).toEqual([{ type: 'text', text: report }]);
});

test('the chunks of a long answer add up to it', async () => {
  const value = '😀 long\n'.repeat(500);
  const result = {
    type: 'tool-result' as const,
    toolCallId: 'x',
    toolName: 'read',
    output: { type: 'text' as const, value },
  };
  const parts = await partsOf([
    { role: 'user', content: [{ type: 'text', text: 'read a.txt' }] },
    { role: 'tool', content: [result] },
  ]);
  const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []));
  expect(deltas.join('')).toBe(`\`a.txt\`:\n\n\`\`\`\n${value}\`\`\``);
  expect(deltas.length).toBeGreaterThan(5);
});

test('a text with a code fence gets a longer fence', async () => {
  const output = { type: 'text' as const, value: '```js\n```' };
  const parts = await partsOf([
    { role: 'user', content: [{ type: 'text', text: 'read a.md' }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'x', toolName: 'read', output }] },
  ]);
  expect(parts[3]).toEqual({ type: 'text-delta', id: '0', delta: '`a.md`:\n\n````\n```js\n```\n````' });
});

const user = (text: string): LanguageModelV3Prompt => [{ role: 'user', content: [{ type: 'text', text }] }];

const result = (
  toolCallId: string,
  value: string,
  type: 'text' | 'error-text' = 'text',
): LanguageModelV3Prompt[number] => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type, value } }],
});

const callsIn = (parts: readonly LanguageModelV3StreamPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [`${part.toolCallId} ${part.toolName} ${part.input}`] : []));

const textIn = (parts: readonly LanguageModelV3StreamPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');

test('a file is read before it is edited, once, and only the edit is reported', async () => {
  const chain = user('replace "a" with "b" in x.txt then replace "c" with "d" in x.txt');
  const edit = (old: string, by: string): string => `{"path":"x.txt","oldText":"${old}","newText":"${by}"}`;
  expect(callsIn(await partsOf(chain))).toEqual(['call-0-0 read {"path":"x.txt"}']);
  chain.push(result('call-0-0', 'a c'));
  expect(callsIn(await partsOf(chain))).toEqual([`call-0-1 edit ${edit('a', 'b')}`]);
  chain.push(result('call-0-1', 'ok'));
  expect(callsIn(await partsOf(chain))).toEqual([`call-0-2 edit ${edit('c', 'd')}`]);
  chain.push(result('call-0-2', 'ok'));
  expect(textIn(await partsOf(chain))).toBe('Edited `x.txt`.\n\nEdited `x.txt`.');
});

test('an unreadable file is reported by the edit', async () => {
  const chain = user('replace "a" with "b" in x.txt then list files');
  chain.push(result('call-0-0', 'There is no file x.txt.', 'error-text'));
  expect(callsIn(await partsOf(chain))).toEqual(['call-0-1 edit {"path":"x.txt","oldText":"a","newText":"b"}']);
  chain.push(result('call-0-1', 'There is no file x.txt.', 'error-text'));
  expect(textIn(await partsOf(chain))).toBe(
    '**Failed:** edit `x.txt`. There is no file x.txt.\n\nI stopped there: one instruction was not carried out.',
  );
});

test('thoughts and texts come before calls, which may be several in one step', async () => {
  const { content } = await offlineModel.doGenerate({
    prompt: user('think "hm" then say "So:" then at once: list files; read a.txt'),
  });
  expect(content).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'So:' },
    { type: 'tool-call', toolCallId: 'call-0-0', toolName: 'list', input: '{}' },
    { type: 'tool-call', toolCallId: 'call-0-1', toolName: 'read', input: '{"path":"a.txt"}' },
  ]);
});

test.each([
  ['refusal', { type: 'finish', finishReason: { unified: 'content-filter', raw: undefined }, usage }],
  ['max tokens', { type: 'finish', finishReason: { unified: 'length', raw: undefined }, usage }],
  ['an error', { type: 'error', error: new Error('the prompt asked for an error') }],
])('it ends with %s on request', async (ending, part) => {
  expect((await partsOf(user(`end with ${ending}`))).at(-1)).toEqual(part);
});
