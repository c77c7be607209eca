import type { Host, HostCall, HostElicitation, HostTerminals } from '@turnwire/client';
import { type ClientCapabilities, ProtocolError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { failure, never, pair } from './agent-pair.ts';

const terminals: HostTerminals = {
  create: () => ({ terminalId: 't1' }),
  output: () => ({ output: 'out', truncated: false }),
  waitForExit: () => ({ exitCode: 0 }),
  kill: () => ({}),
  release: () => ({}),
  watch: () => () => undefined,
  releaseAll: () => Promise.resolve(),
};

const elicitation: HostElicitation = {
  form: () => ({ action: 'accept', content: {} }),
  url: () => ({ action: 'accept' }),
};

const form = { mode: 'form', message: 'Who?', requestedSchema: {} } as const;
const page = { mode: 'url', message: 'Log in', url: 'https://example.com/', elicitationId: 'odd id?/\u0001' } as const;

async function advertised(options: Parameters<typeof pair>[0]): Promise<ClientCapabilities | undefined> {
  await using connected = await pair(options);
  return connected.said.clientCapabilities;
}

const session = { configOptions: { boolean: {} }, notices: {}, compaction: {} };
const shown = { session, plan: {} };

test('a client without services answers each of their methods with an error', async () => {
  expect(await advertised({})).toEqual({
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    auth: { terminal: false },
    elicitation: null,
    ...shown,
  });
});

test('a client advertises exactly the services it has', async () => {
  const everything: Host = {
    files: { readTextFile: () => ({ content: '' }), writeTextFile: () => ({}) },
    terminals,
    elicitation,
  };
  const capabilities = [
    await advertised({ host: everything, terminalLogin: never, clientMeta: { terminal_output: true } }),
    await advertised({ host: { files: { readTextFile: () => ({ content: '' }) }, elicitation: { form: never } } }),
    await advertised({ host: { files: {}, elicitation: {} } }),
  ];
  const nothing = { fs: { readTextFile: false, writeTextFile: false }, terminal: false, auth: { terminal: false } };
  expect(capabilities).toEqual([
    {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      auth: { terminal: true },
      elicitation: { form: {}, url: {} },
      ...shown,
      _meta: { terminal_output: true },
    },
    { ...nothing, fs: { readTextFile: true, writeTextFile: false }, elicitation: { form: {} }, ...shown },
    { ...nothing, elicitation: null, ...shown },
  ]);
});

test('the client introduces itself, or the program that drives it', async () => {
  await using plain = await pair();
  await using named = await pair({ clientInfo: { name: 'editor', version: '3.0.0' } });
  expect([plain.said, named.said]).toMatchObject([
    { protocolVersion: 1, clientInfo: { name: '@turnwire/client', title: 'Turnwire' } },
    { protocolVersion: 1, clientInfo: { name: 'editor', version: '3.0.0' } },
  ]);
});

test('services receive the request and the folders of the session', async () => {
  const seen: unknown[] = [];
  const note = <Response>(response: Response) => {
    return (request: object, { roots }: { readonly roots: readonly string[] }): Response => {
      seen.push([request, roots]);
      return response;
    };
  };
  await using connected = await pair({
    capabilities: { sessionCapabilities: { additionalDirectories: {} } },
    host: {
      files: { readTextFile: note({ content: 'text' }), writeTextFile: note({}) },
      terminals: { ...terminals, create: note({ terminalId: 't1' }), output: note({ output: '', truncated: false }) },
      elicitation: { form: note({ action: 'decline' as const }) },
    },
  });
  await connected.agent.newSession({ cwd: '/project', additionalDirectories: ['/more'] });
  const { theirs } = connected;
  const read = { sessionId: 'one', path: '/project/a' };
  const write = { sessionId: 'one', path: '/project/a', content: 'b' };
  const create = { sessionId: 'one', command: 'ls' };
  const output = { sessionId: 'one', terminalId: 't1' };
  const question = { sessionId: 'one', ...form };
  const outside = { requestId: 0, ...form };
  const answers = [
    await theirs.request('fs/read_text_file', read),
    await theirs.request('fs/write_text_file', write),
    await theirs.request('terminal/create', create),
    await theirs.request('terminal/output', output),
    await theirs.request('terminal/wait_for_exit', output),
    await theirs.request('terminal/kill', output),
    await theirs.request('terminal/release', output),
    await theirs.request('elicitation/create', question),
    await theirs.request('elicitation/create', outside),
  ];
  const roots = ['/project', '/more'];
  expect({ answers, seen }).toEqual({
    answers: [
      { content: 'text' },
      {},
      { terminalId: 't1' },
      { output: '', truncated: false },
      { exitCode: 0 },
      {},
      {},
      { action: 'decline' },
      { action: 'decline' },
    ],
    seen: [
      [read, roots],
      [write, roots],
      [create, roots],
      [output, roots],
      [question, roots],
      [outside, []],
    ],
  });
});

test('requests beyond the advertised services are refused: a method as unknown, a kind of question as invalid', async () => {
  await using bare = await pair();
  await using forms = await pair({ host: { elicitation: { form: () => ({ action: 'cancel' }) } } });
  await bare.agent.newSession({ cwd: '/' });
  await forms.agent.newSession({ cwd: '/' });
  const codes = await Promise.all(
    [
      bare.theirs.request('fs/read_text_file', { sessionId: 'one', path: '/a' }),
      bare.theirs.request('fs/write_text_file', { sessionId: 'one', path: '/a', content: '' }),
      bare.theirs.request('terminal/create', { sessionId: 'one', command: 'ls' }),
      bare.theirs.request('elicitation/create', { sessionId: 'one', ...form }),
      forms.theirs.request('elicitation/create', { sessionId: 'one', ...page }),
      forms.theirs.request('elicitation/create', { sessionId: 'one', mode: 'voice', message: 'Say' } as never),
    ].map(async (request) => (await failure(request)).code),
  );
  expect(codes).toEqual([-32601, -32601, -32601, -32601, -32602, -32602]);
});

test('a request about an unknown session is refused', async () => {
  await using connected = await pair({
    host: { files: { readTextFile: () => ({ content: 'secret' }) }, terminals, elicitation },
  });
  const codes = await Promise.all(
    [
      connected.theirs.request('fs/read_text_file', { sessionId: 'other', path: '/a' }),
      connected.theirs.request('terminal/create', { sessionId: 'other', command: 'ls' }),
      connected.theirs.request('elicitation/create', { sessionId: 'other', ...form }),
    ].map(failure),
  );
  expect(codes).toEqual(Array(3).fill({ code: -32002, message: 'There is no session other' }));
});

test('the gate decides about files and new terminals, and about nothing else', async () => {
  const asked: unknown[] = [];
  const ran: string[] = [];
  const hostGate = ({ signal: _, ...call }: HostCall): Promise<void> => {
    asked.push(call);
    return call.method === 'fs/write_text_file'
      ? Promise.reject(new ProtocolError(-32602, 'The plan allows no changes'))
      : Promise.resolve();
  };
  await using connected = await pair({
    hostGate,
    host: {
      files: {
        readTextFile: () => ({ content: String(ran.push('read')) }),
        writeTextFile: () => ({ _meta: { ran: ran.push('write') } }),
        realPath: (path) => `/real${path}`,
      },
      terminals,
    },
  });
  await connected.agent.newSession({ cwd: '/project' });
  const { theirs } = connected;
  const read = { sessionId: 'one', path: '/a' };
  const write = { sessionId: 'one', path: '/a', content: '' };
  const create = { sessionId: 'one', command: 'ls' };
  const outcomes = [
    await theirs.request('fs/read_text_file', read),
    await failure(theirs.request('fs/write_text_file', write)),
    await theirs.request('terminal/create', create),
    await theirs.request('terminal/kill', { sessionId: 'one', terminalId: 't1' }),
  ];
  const [roots, realRoots] = [['/project'], ['/real/project']];
  expect({ outcomes, asked, ran }).toEqual({
    outcomes: [{ content: '1' }, { code: -32602, message: 'The plan allows no changes' }, { terminalId: 't1' }, {}],
    asked: [
      { method: 'fs/read_text_file', params: read, sessionId: 'one', roots, realRoots },
      { method: 'fs/write_text_file', params: write, sessionId: 'one', roots, realRoots },
      { method: 'terminal/create', params: create, sessionId: 'one', roots, realRoots },
    ],
    ran: ['read'],
  });
});

test('cancelling a turn withdraws its requests to the gate and the user, and later ones too', async () => {
  const signals: AbortSignal[] = [];
  const outcomes: unknown[] = [];
  const waiting = (signal: AbortSignal): Promise<never> => {
    signals.push(signal);
    return never();
  };
  await using connected = await pair({
    hostGate: ({ signal }) => waiting(signal),
    host: {
      files: { writeTextFile: () => ({}) },
      elicitation: { form: (_, { signal }) => waiting(signal) },
    },
    handlers: {
      'session/prompt': async ({ sessionId }, { peer }) => {
        const write = (): Promise<unknown> =>
          failure(peer.request('fs/write_text_file', { sessionId, path: '/a', content: '' }));
        outcomes.push(
          ...(await Promise.all([write(), peer.request('elicitation/create', { sessionId, ...form })])),
          await write(),
        );
        return { stopReason: 'cancelled' };
      },
      'session/cancel': () => undefined,
    },
  });
  const session = await connected.agent.newSession({ cwd: '/' });
  const turn = session.prompt('go');
  while (signals.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await turn.cancel();
  const refused = { code: -32800, message: 'Request cancelled' };
  expect({ outcomes, told: signals.map(({ aborted }) => aborted) }).toEqual({
    outcomes: [refused, { action: 'cancel' }, refused],
    told: [true, true],
  });
});

test('a request that the agent cancels aborts its signal', async () => {
  let told: AbortSignal | undefined;
  await using connected = await pair({
    host: {
      terminals: {
        ...terminals,
        waitForExit: (_, { signal }) => {
          told = signal;
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ signal: 'SIGTERM' })));
        },
      },
    },
  });
  await connected.agent.newSession({ cwd: '/' });
  const controller = new AbortController();
  const { signal } = controller;
  const request = { sessionId: 'one', terminalId: 't1' };
  const answer = connected.theirs.request('terminal/wait_for_exit', request, { signal });
  while (!told) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  expect(await answer).toEqual({ signal: 'SIGTERM' });
});

test('the host is notified once that a page is complete, and only about pages the user opened', async () => {
  const done: string[] = [];
  const answers = { accepted: 'accept', declined: 'decline' } as const;
  await using connected = await pair({
    host: {
      elicitation: {
        url: ({ message }) => ({ action: answers[message as keyof typeof answers] }),
        complete: (id) => void done.push(id),
      },
    },
  });
  await connected.agent.newSession({ cwd: '/' });
  const { theirs } = connected;
  await theirs.request('elicitation/create', { sessionId: 'one', ...page, message: 'accepted' });
  await theirs.request('elicitation/create', {
    sessionId: 'one',
    ...page,
    message: 'declined',
    elicitationId: 'unwanted',
  });
  for (const elicitationId of ['unknown', 'unwanted', page.elicitationId, page.elicitationId]) {
    await theirs.notify('elicitation/complete', { elicitationId });
  }
  await failure(theirs.request('fs/read_text_file', { sessionId: 'one', path: '/a' }));
  expect(done).toEqual([page.elicitationId]);
});

test('terminals of a session are released when it closes, and when the connection ends', async () => {
  const released: (string | undefined)[] = [];
  const host: Host = {
    terminals: { ...terminals, releaseAll: async (sessionId) => void released.push(sessionId) },
  };
  let count = 0;
  await using connected = await pair({
    host,
    capabilities: { sessionCapabilities: { close: {} } },
    handlers: { 'session/new': () => ({ sessionId: `s${++count}` }), 'session/close': () => ({}) },
  });
  const first = await connected.agent.newSession({ cwd: '/' });
  await connected.agent.newSession({ cwd: '/' });
  await first.close?.();
  const afterClosing = [...released];
  await connected.agent.close();
  expect({ afterClosing, released }).toEqual({ afterClosing: ['s1'], released: ['s1', 's2'] });
});
