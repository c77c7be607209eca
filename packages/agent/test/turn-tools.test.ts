import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandShell } from '@turnwire/machine';
import type { ClientCapabilities, SessionUpdate } from '@turnwire/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pidIn, untilEnded } from '../../transports/test/process-life.ts';
import { memoryStore } from '../src/index.ts';
import type { CommandOutcome, Turn, UserAnswer, UserQuestion } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';
import type { PairOptions } from './agent-pair.ts';

let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turn-')));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });
const usage = { used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } };

/** Runs one turn and returns its updates. */
async function updatesOf(run: (turn: Turn) => unknown, options: PairOptions = {}): Promise<readonly unknown[]> {
  const { open, prompt, received } = await pair(async (turn) => void (await run(turn)), options);
  await prompt(await open(), 'hello');
  return numbered(received.slice(0, -1));
}

test('context usage is sent unchanged', async () => {
  expect(await updatesOf((turn) => turn.usage(usage))).toEqual([{ sessionUpdate: 'usage_update', ...usage }]);
});

test('notices go to clients that support them; others get a separate message', async () => {
  const run = async (turn: Turn): Promise<void> => {
    await turn.say('one');
    await turn.notice({ severity: 'warning', title: 'Slow', description: 'The model is busy.' });
    await turn.say('two');
  };
  const said = (messageId: string, words: string): object => ({
    sessionUpdate: 'agent_message_chunk',
    messageId,
    content: { type: 'text', text: words },
  });
  expect([await updatesOf(run, { capabilities: { session: { notices: {} } } }), await updatesOf(run)]).toEqual([
    [
      said('id-1', 'one'),
      { sessionUpdate: 'notice', severity: 'warning', title: 'Slow', description: 'The model is busy.' },
      said('id-1', 'two'),
    ],
    [said('id-1', 'one'), said('id-1', '\n\n'), said('id-2', 'Slow\n\nThe model is busy.\n\n'), said('id-3', 'two')],
  ]);
});

test.each([
  ['one', ['\n\n']],
  ['one\n', ['\n']],
  ['one\n\n', []],
])('a message of the agent is separated from %j before it', async (before, between) => {
  const texts = await updatesOf(async (turn) => {
    await turn.say(before.slice(0, 2));
    await turn.say(before.slice(2));
    await turn.message('The model failed.\n');
    await turn.message('Ask again.');
    await turn.say('two');
  });
  expect(texts.map((update) => (update as { content: { text: string } }).content.text)).toEqual([
    before.slice(0, 2),
    before.slice(2),
    ...between,
    'The model failed.\n\n',
    'Ask again.\n\n',
    'two',
  ]);
});

test('a compaction is sent to clients that support it, ends once, and is omitted for others', async () => {
  const run = async (turn: Turn): Promise<void> => {
    const done = turn.compaction();
    await done.summarize('short');
    await done.complete();
    await done.fail('too late');
    await turn.compaction().fail('no model');
    turn.compaction();
  };
  const update = (compactionId: string, change: object): object => ({
    sessionUpdate: 'compaction_update',
    compactionId,
    ...change,
  });
  expect([await updatesOf(run, { capabilities: { session: { compaction: {} } } }), await updatesOf(run)]).toEqual([
    [
      update('id-1', { status: 'in_progress' }),
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'id-1', content: { type: 'text', text: 'short' } },
      update('id-1', { status: 'completed', summary: [{ type: 'text', text: 'short' }] }),
      update('id-2', { status: 'in_progress' }),
      update('id-2', { status: 'failed', error: 'no model' }),
      update('id-3', { status: 'in_progress' }),
      update('id-3', { status: 'cancelled' }),
    ],
    [],
  ]);
});

const question: UserQuestion = {
  message: 'Which database?',
  form: {
    properties: {
      kind: { type: 'string', title: 'Kind', enum: ['sqlite', 'postgres'] },
      port: { type: 'integer', description: 'Where it listens', minimum: 1 },
      tags: { type: 'array', items: { type: 'string', enum: ['fast', 'small'] } },
    },
    required: ['kind'],
  },
};

/** Asks once and returns the request and the outcome. */
async function ask(asked: UserQuestion, capabilities: ClientCapabilities, answer: unknown = {}): Promise<unknown> {
  const requests: unknown[] = [];
  let came: UserAnswer | undefined;
  const updates = await updatesOf(async (turn) => void (came = await turn.askUser(asked)), {
    capabilities,
    client: {
      'elicitation/create': ({ sessionId: _, ...request }: { readonly sessionId?: string }) => {
        requests.push(request);
        return answer as never;
      },
    } as never,
  });
  return numbered({ requests, came, updates });
}

const forms: ClientCapabilities = { elicitation: { form: {} } };

test.each([
  [
    { action: 'accept', content: { kind: 'sqlite', port: 5 } },
    { outcome: 'answered', values: { kind: 'sqlite', port: 5 } },
  ],
  [
    { action: 'accept', content: { kind: 'sqlite', extra: true } },
    { outcome: 'answered', values: { kind: 'sqlite', extra: true } },
  ],
  [
    { action: 'accept', content: { kind: 'sqlite', tags: ['small'] } },
    { outcome: 'answered', values: { kind: 'sqlite', tags: ['small'] } },
  ],
  [{ action: 'accept', content: { kind: 'sqlite', tags: ['large'] } }, { outcome: 'declined' }],
  [{ action: 'accept', content: { kind: 'mysql' } }, { outcome: 'declined' }],
  [{ action: 'accept', content: { kind: 'sqlite', port: 0 } }, { outcome: 'declined' }],
  [{ action: 'accept' }, { outcome: 'declined' }],
  [{ action: 'decline', content: { kind: 'sqlite' } }, { outcome: 'declined' }],
  [{ action: 'cancel' }, { outcome: 'cancelled' }],
  [{ action: 'perhaps' }, { outcome: 'declined' }],
])('a form answered with %j is %j', async (answer, came) => {
  expect(await ask(question, forms, answer)).toEqual({
    requests: [{ mode: 'form', message: 'Which database?', requestedSchema: (question as { form: unknown }).form }],
    came,
    updates: [],
  });
});

test('without form support the question is sent as a message', async () => {
  expect(await ask(question, { elicitation: {} })).toEqual({
    requests: [],
    came: { outcome: 'said' },
    updates: [
      {
        sessionUpdate: 'agent_message_chunk',
        messageId: 'id-1',
        content: {
          type: 'text',
          text: 'Which database?\n\n- Kind (sqlite, postgres)\n- port: Where it listens\n- tags (fast, small)\n\n',
        },
      },
    ],
  });
});

test('a page is requested from clients that can show it, and its completion is reported', async () => {
  const completed: string[] = [];
  const page = { message: 'Log in there', url: 'https://example.org/login' };
  const asked: { elicitationId?: string; url?: string }[] = [];
  const { open, prompt } = await pair(
    async (turn) => {
      const answer = await turn.askUser(page);
      if (answer.outcome === 'answered') await answer.completed();
    },
    {
      capabilities: { elicitation: { url: {} } },
      client: {
        'elicitation/create': (request) => {
          asked.push(request as never);
          return { action: 'accept' };
        },
        'elicitation/complete': ({ elicitationId }) => void completed.push(elicitationId),
      },
    },
  );
  await prompt(await open(), 'hello');
  expect([asked[0]?.url, completed]).toEqual([page.url, [asked[0]?.elicitationId]]);
  expect(await ask(page, forms)).toMatchObject({ requests: [], came: { outcome: 'said' } });
});

test('files go through a client that supports them, and to this machine otherwise', async () => {
  const asked: unknown[] = [];
  const seen: unknown[] = [];
  const run = async ({ files }: Turn): Promise<void> => {
    const path = join(folder, 'deep', 'a.txt');
    await files.write(path, 'one\ntwo\nthree');
    seen.push(
      await files.read(path),
      await files.read(path, { line: 2, limit: 1 }),
      await files.read(path, { line: 9 }),
    );
    seen.push(await files.read('missing').catch((error: unknown) => (error as { code: number }).code));
  };
  await updatesOf(run);
  expect([seen.splice(0), await readFile(join(folder, 'deep', 'a.txt'), 'utf8')]).toEqual([
    ['one\ntwo\nthree', 'two\n', '', -32002],
    'one\ntwo\nthree',
  ]);
  await updatesOf(run, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    client: {
      'fs/read_text_file': ({ path, line }) => ({ content: `${path} ${line ?? ''}` }),
      'fs/write_text_file': ({ content }) => {
        asked.push(content);
        return {};
      },
    },
  });
  const path = join(folder, 'deep', 'a.txt');
  expect([asked, seen]).toEqual([['one\ntwo\nthree'], [`${path} `, `${path} 2`, `${path} 9`, '/missing ']]);
});

/** Runs a command in a turn. */
const running =
  (command: Parameters<Turn['commands']['run']>[1], outcomes: CommandOutcome[] = []) =>
  async (turn: Turn) => {
    const tool = turn.tool({ title: 'Run', kind: 'execute' });
    outcomes.push(await turn.commands.run(tool, { cwd: folder, ...command }));
    await tool.complete();
  };

test('a command runs here, ends with its child processes, and shows its output once', async () => {
  const outcomes: CommandOutcome[] = [];
  const updates = await updatesOf(running({ command: 'pwd; echo oops >&2; exit 3' }, outcomes));
  expect([outcomes, updates.slice(1)]).toEqual([
    [{ exitCode: 3, signal: null, output: expect.stringContaining('oops'), truncated: false, timedOut: false }],
    [
      { sessionUpdate: 'tool_call_update', toolCallId: 'id-1', status: 'in_progress' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'id-1', content: [text(outcomes[0]!.output)] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'id-1', status: 'completed' },
    ],
  ]);
});

test('the end of a long output is kept, from a character boundary on', async () => {
  const outcomes: CommandOutcome[] = [];
  const program = `process.stdout.write('é'.repeat(1000) + 'end')`;
  await updatesOf(running({ command: process.execPath, args: ['-e', program], outputByteLimit: 10 }, outcomes));
  expect(outcomes).toEqual([{ exitCode: 0, signal: null, output: 'éééend', truncated: true, timedOut: false }]);
});

test('a command that exceeds its timeout is stopped', async () => {
  const outcomes: CommandOutcome[] = [];
  await updatesOf(running({ command: 'sleep 60 & sleep 60', timeout: 50 }, outcomes));
  expect(outcomes).toMatchObject([{ timedOut: true, exitCode: null, signal: 'SIGTERM' }]);
});

test('a missing program fails, and the turn continues', async () => {
  let reason: unknown;
  await updatesOf(async (turn) => {
    const tool = turn.tool({ title: 'Run' });
    reason = await turn.commands
      .run(tool, { command: 'no-such-program', args: [], cwd: folder })
      .catch((error: unknown) => error);
  });
  expect(reason).toMatchObject({ code: 'ENOENT' });
});

test('a cancel ends a command and all its child processes', async () => {
  const started = gate();
  const { client, open, prompt } = await pair(async (turn) => {
    const tool = turn.tool({ title: 'Run' });
    const done = turn.commands.run(tool, { command: 'sleep 60 & echo $! > pid; wait', cwd: folder });
    started.open();
    await done;
  });
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await started.opened;
  const child = await pidIn(join(folder, 'pid'));
  await client.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  await untilEnded(child);
});

test('clients that show output in chunks get each chunk once, and a loaded session shows it as text', async () => {
  const store = memoryStore();
  const { client, open, prompt, received } = await pair(
    { store, prompt: running({ command: 'echo one; until [ -e go ]; do sleep 0.05; done; echo two' }) },
    { capabilities: { _meta: { terminal_output: true } } },
  );
  const id = await open();
  const turn = prompt(id, 'hello');
  await expect.poll(() => JSON.stringify(received)).toContain('one');
  await writeFile(join(folder, 'go'), '');
  await turn;
  const metas = received.map((update) => update._meta as { terminal_output?: { data: string } } | undefined);
  const data = metas.map((meta) => meta?.terminal_output?.data ?? '');
  expect([numbered(received.slice(2, 3)), data.join(''), data.filter((piece) => piece !== '').length > 1]).toEqual([
    [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'id-1',
        content: [{ type: 'terminal', terminalId: 'id-2' }],
        _meta: { terminal_info: { terminal_id: 'id-2', cwd: folder } },
      },
    ],
    'one\ntwo\n',
    true,
  ]);
  expect(metas.at(-3)).toMatchObject({ terminal_exit: { exit_code: 0, signal: null } });
  received.length = 0;
  await client.request('session/load', { sessionId: id, cwd: '/', mcpServers: [] });
  expect(numbered(received.slice(1))).toEqual([
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'id-1',
      title: 'Run',
      kind: 'execute',
      status: 'completed',
      content: [text('one\ntwo\n')],
    },
  ]);
});

test('a cancel does not wait for a client that answers only when the command ends: the release ends it', async () => {
  const calls: string[] = [];
  const started = gate();
  const { client, open, prompt } = await pair(running({ command: 'sleep' }, []), {
    capabilities: { terminal: true },
    client: {
      'terminal/create': () => ({ terminalId: 't1' }),
      'terminal/wait_for_exit': () => {
        started.open();
        return new Promise<never>(() => undefined);
      },
      'terminal/release': ({ terminalId }) => {
        calls.push(`release ${terminalId}`);
        return {};
      },
    },
  });
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await started.opened;
  await client.notify('session/cancel', { sessionId });
  expect([await answer, calls]).toEqual([{ stopReason: 'cancelled' }, ['release t1']]);
});

test("commands run in the client's terminals if it has them, and every terminal is released", async () => {
  const calls: string[] = [];
  const seen: SessionUpdate[] = [];
  const outcomes: CommandOutcome[] = [];
  const log = (name: string) => (): object => {
    calls.push(name);
    return {};
  };
  const { open, prompt } = await pair(
    async (turn) => {
      await running({ command: 'npm', args: ['test'], env: { CI: '1' } }, outcomes)(turn);
      await turn.client.terminals?.create({ command: 'forgotten' });
    },
    {
      capabilities: { terminal: true },
      client: {
        'session/update': ({ update }) => void seen.push(update),
        'terminal/create': ({ sessionId: _, ...command }) => {
          calls.push(`create ${JSON.stringify(command)}`);
          return { terminalId: `t${calls.length}` };
        },
        'terminal/output': () => ({ output: 'passed', truncated: false }),
        'terminal/wait_for_exit': () => ({ exitCode: 0 }),
        'terminal/kill': log('kill'),
        'terminal/release': ({ terminalId }) => log(`release ${terminalId}`)(),
      },
    },
  );
  await prompt(await open(), 'hello');
  expect([calls, outcomes, seen.find((update) => 'content' in update)]).toEqual([
    [
      `create ${JSON.stringify({ command: 'npm', args: ['test'], cwd: folder, env: [{ name: 'CI', value: '1' }], outputByteLimit: 65536 })}`,
      'release t1',
      'create {"command":"forgotten"}',
      'release t3',
    ],
    [{ exitCode: 0, signal: null, output: 'passed', truncated: false, timedOut: false }],
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: expect.any(String),
      content: [{ type: 'terminal', terminalId: 't1' }],
    },
  ]);
});

test('a command line in a client terminal names its shell and gets no input', async () => {
  const created: unknown[] = [];
  const outcomes: CommandOutcome[] = [];
  const { open, prompt } = await pair(running({ command: 'npm test && echo "$x"' }, outcomes), {
    capabilities: { terminal: true },
    client: {
      'terminal/create': ({ command, args }) => {
        created.push([command, args]);
        return { terminalId: 't' };
      },
      'terminal/output': () => ({ output: 'passed', truncated: false }),
      'terminal/wait_for_exit': () => ({ exitCode: 0 }),
      'terminal/release': () => ({}),
    },
  });
  await prompt(await open(), 'hello');
  expect([created, outcomes.map(({ output }) => output)]).toEqual([
    [[commandShell().path, ['-c', 'exec </dev/null; npm test && echo "$x"']]],
    ['passed'],
  ]);
});
