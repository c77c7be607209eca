import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handlers, RequestPermissionRequest } from '@turnwire/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionStore } from '../src/node/index.ts';
import type { AgentDefinition, PermissionAnswer, Turn } from '../src/index.ts';
import { gate, pair } from './agent-pair.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const form = { properties: { name: { type: 'string' as const } } };
const everything = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
};

/** Whatever a turn can be waiting for, and the method of the client that does not answer. Absent: the turn waits for itself. */
const waits: readonly (readonly [keyof Handlers<'client'> | undefined, (turn: Turn) => Promise<unknown>])[] = [
  ['session/request_permission', (turn) => turn.askPermission(turn.tool({ title: 'Edit' }))],
  ['elicitation/create', (turn) => turn.askUser({ message: 'Who?', form })],
  ['fs/read_text_file', (turn) => turn.files.read('a.txt')],
  ['fs/write_text_file', (turn) => turn.files.write('a.txt', 'a')],
  ['terminal/create', (turn) => turn.commands.run(turn.tool({ title: 'Run' }), { command: 'sleep 60' })],
  ['terminal/wait_for_exit', (turn) => turn.commands.run(turn.tool({ title: 'Run' }), { command: 'sleep 60' })],
  ['terminal/output', (turn) => turn.commands.run(turn.tool({ title: 'Run' }), { command: 'sleep 60' })],
  ['terminal/release', (turn) => turn.commands.run(turn.tool({ title: 'Run' }), { command: 'sleep 60' })],
  [undefined, (turn) => new Promise((resolve) => turn.signal.addEventListener('abort', resolve))],
];

/** A turn that waits for a client that does not answer the method; everything else it answers. */
async function waiting(method: keyof Handlers<'client'> | undefined, work: (turn: Turn) => Promise<unknown>) {
  const [begun, ended] = [gate(), gate()];
  const closed: string[] = [];
  const agent = await pair(
    {
      closeSession: ({ id }) => void closed.push(id),
      prompt: async (turn) => {
        if (turn.text !== 'wait') return;
        if (method === undefined) begun.open();
        await work(turn).finally(ended.open);
      },
    },
    {
      capabilities: everything,
      limits: { drain: 0 },
      turns: { grace: 100 },
      client: {
        'terminal/create': () => ({ terminalId: 't1' }),
        'terminal/wait_for_exit': () => ({ exitCode: 0 }),
        'terminal/output': () => ({ output: '', truncated: false }),
        'terminal/kill': () => ({}),
        'terminal/release': () => ({}),
        ...(method && {
          [method]: () => {
            begun.open();
            return new Promise(() => undefined);
          },
        }),
      },
    },
  );
  const sessionId = await agent.open();
  const answer = agent.prompt(sessionId, 'wait');
  answer.catch(() => undefined);
  // A release is nothing a turn waits for.
  if (method === 'terminal/release') await answer;
  await begun.opened;
  return { ...agent, sessionId, answer, ended, closed };
}

test.each(waits)('a client that disconnects while %s is requested leaves nothing behind', async (method, work) => {
  const { agent, client, ended, closed, sessionId, logged } = await waiting(method, work);
  await client.close();
  await agent.closed;
  await ended.opened;
  expect([closed, logged.filter(({ level }) => level === 'error')]).toEqual([[sessionId], []]);
});

test.each(waits)(
  'a cancel while a client does not answer %s ends the turn, and the next one runs',
  async (method, work) => {
    const { client, prompt, sessionId, answer, logged } = await waiting(method, work);
    await client.notify('session/cancel', { sessionId });
    const stopReason = method === 'terminal/release' ? 'end_turn' : 'cancelled';
    expect([await answer, await prompt(sessionId, 'next'), logged.filter(({ level }) => level === 'error')]).toEqual([
      { stopReason },
      { stopReason: 'end_turn' },
      [],
    ]);
  },
);

test('several questions of one turn can be open at once, each with its own answer', async () => {
  const asked = new Map<string, (optionId: string) => void>();
  const all = gate();
  const always = [
    { optionId: 'once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'npm', name: 'Always allow `npm test` in this session', kind: 'allow_always' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ] as const;
  let answers: readonly PermissionAnswer[] = [];
  const { open, prompt } = await pair(
    async (turn) => {
      const tools = ['one', 'two', 'three'].map((title) => turn.tool({ title }));
      answers = await Promise.all(tools.map((tool) => turn.askPermission(tool, always)));
    },
    {
      client: {
        'session/request_permission': ({ toolCall, options }: RequestPermissionRequest) =>
          new Promise((resolve) => {
            expect(options).toEqual(always);
            asked.set(String(toolCall.title), (optionId) => resolve({ outcome: { outcome: 'selected', optionId } }));
            if (asked.size === 3) all.open();
          }),
      },
    },
  );
  const answer = prompt(await open(), 'hello');
  await all.opened;
  asked.get('three')?.('no');
  asked.get('one')?.('npm');
  asked.get('two')?.('once');
  await answer;
  expect(answers).toEqual([
    { outcome: 'allowed', option: always[1] },
    { outcome: 'allowed', option: always[0] },
    { outcome: 'rejected', option: always[2] },
  ]);
});

/** An agent that tells and keeps everything there is. */
function busy(path: string): Partial<AgentDefinition> {
  return {
    store: sessionStore(path),
    modes: [
      { id: 'code', name: 'Code' },
      { id: 'ask', name: 'Ask' },
    ],
    prompt: async (turn) => {
      await turn.session.keep({ text: turn.text });
      await turn.think('hmm');
      await turn.say(`You said é ${turn.text}`);
      await turn.plan(['one', 'two']);
      const tool = turn.tool({ title: 'Work', kind: 'edit' });
      await tool.start();
      await tool.progress('half way');
      await tool.complete([{ type: 'diff', path: '/a', oldText: 'a', newText: 'b' }]);
      turn.tool({ title: 'Left open' });
      await turn.session.setMode(turn.session.modeId === 'ask' ? 'code' : 'ask');
      await turn.session.setTitle(`About ${turn.text}`);
    },
  };
}

test('a session file cut at any byte loads with nothing left open, and the session continues', async () => {
  const path = join(folder, 'cut');
  const first = await pair(busy(path));
  const sessionId = await first.open();
  await first.prompt(sessionId, 'one');
  await first.prompt(sessionId, 'two');
  await first.agent.close();
  const file = join(path, `${sessionId}.jsonl`);
  const whole = await readFile(file);
  const headerEnd = whole.indexOf('\n');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: headerEnd, max: whole.length }), async (length) => {
      await writeFile(file, whole.subarray(0, length));
      const { agent, client, prompt, received } = await pair(busy(path));
      await client.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
      const open = received.filter(
        (update) =>
          'sessionUpdate' in update &&
          update.sessionUpdate === 'tool_call' &&
          update.status !== 'completed' &&
          update.status !== 'failed',
      );
      expect([open, await prompt(sessionId, 'three')]).toEqual([[], { stopReason: 'end_turn' }]);
      await agent.close();
    }),
    { numRuns: 150 },
  );
});
