import type { McpServer } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { isAlive } from '../../../packages/transports/test/process-life.ts';
import { until } from './coder-process.ts';
import { clientInfo } from '../src/mcp/open-connection.ts';
import { coderAgent } from '../src/index.ts';
import { picture } from './fixtures/sample-mcp-server.mjs';
import { type McpHttpServer, refusingServer, sseServer, streamableServer, type UnknownSession } from './mcp-http.ts';
import { hostile, McpSession, sample, samplePath } from './mcp-session.ts';

const names = [
  'echo',
  'look',
  'picture',
  'fail',
  'count',
  'environment',
  'where',
  'pid',
  'crash',
  'roots',
  'steps',
  'wait',
  'ask',
  'grow',
  'log',
];

test('the model is offered the tools of a server and gets their results', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__echo', { text: 'hello' }]] });
  expect(await session.prompt()).toEqual({ stopReason: 'end_turn' });
  expect(session.offered).toEqual([...names.map((name) => `sample__${name}`), 'read-resource']);
  expect(session.results).toEqual([{ type: 'text', value: 'hello' }]);
  expect(session.notices).toEqual([]);
  const block = { type: 'content', content: { type: 'text', text: '```json\n{\n  "text": "hello"\n}\n```' } };
  expect(session.permissions.map(({ toolCall }) => toolCall)).toEqual([
    expect.objectContaining({ title: 'sample: echo', name: 'sample__echo', kind: 'other', content: [block] }),
  ]);
  expect(session.toolUpdates.at(-1)).toEqual({
    sessionUpdate: 'tool_call_update',
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: 'hello' } }],
  });
});

test('a tool that claims to be read-only needs permission too', async () => {
  await using session = await McpSession.open({
    servers: [sample()],
    answers: [['sample__look', {}]],
    permission: () => 'reject_once',
  });
  await session.prompt();
  expect(session.permissions.map(({ toolCall: { title, kind } }) => ({ title, kind }))).toEqual([
    { title: 'sample: Look around', kind: 'read' },
  ]);
  expect(session.results).toEqual([expect.objectContaining({ type: 'execution-denied' })]);
});

test('images, links and resources reach the user unchanged', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__picture', {}]] });
  await session.prompt();
  expect(session.toolUpdates.at(-1)).toEqual({
    sessionUpdate: 'tool_call_update',
    status: 'completed',
    content: [
      { type: 'text', text: 'here' },
      { type: 'image', data: picture, mimeType: 'image/png' },
      { type: 'resource_link', uri: 'notes://today', name: 'today' },
      { type: 'resource', resource: { uri: 'notes://today', text: 'buy milk' } },
    ].map((content) => ({ type: 'content', content })),
  });
  const text = 'here\n[image, image/png]\n[today](notes://today)\nnotes://today:\nbuy milk';
  expect(session.results).toEqual([{ type: 'text', value: text }]);
});

test('a tool error is a failed call', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__fail', {}]] });
  await session.prompt();
  expect(session.results).toEqual([{ type: 'error-text', value: 'the disk is full' }]);
  expect(session.toolUpdates.at(-1)).toMatchObject({ status: 'failed' });
});

test('structured output becomes raw output, and also the text if the result has none', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__count', {}]] });
  await session.prompt();
  expect(session.results).toEqual([{ type: 'text', value: '{\n  "found": 3\n}' }]);
  expect(session.toolUpdates.at(-1)).toMatchObject({ status: 'completed', rawOutput: { found: 3 } });
});

test('the server reports missing input', async () => {
  await using session = await McpSession.open({
    servers: [sample()],
    answers: [
      ['sample__echo', {}],
      ['sample__echo', '[1]'],
    ],
  });
  await session.prompt();
  expect(session.results).toEqual([
    { type: 'error-text', value: expect.stringContaining('text') },
    { type: 'error-text', value: 'The input of sample__echo has to be an object.' },
  ]);
});

test('progress is shown', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__steps', {}]] });
  await session.prompt();
  expect(session.toolUpdates).toContainEqual({
    sessionUpdate: 'tool_call_update',
    content: [{ type: 'content', content: { type: 'text', text: 'half (1 of 2)' } }],
  });
});

test('progress that arrives together with the answer is shown', async () => {
  await using session = await McpSession.open({ servers: [hostile('at-once')], answers: [['bad__use', {}]] });
  await session.prompt();
  expect(session.toolUpdates).toContainEqual({
    sessionUpdate: 'tool_call_update',
    content: [{ type: 'content', content: { type: 'text', text: 'half (1 of 2)' } }],
  });
});

test('a cancelled turn cancels the call at the server', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__wait', {}]] });
  const turn = session.prompt();
  // Under way here is not yet begun there.
  await until(() => JSON.stringify(session.toolUpdates).includes('waiting'));
  await session.cancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  await until(async () => {
    await session.prompt('/mcp log sample');
    return session.said.includes('cancelled');
  });
});

test('a server inherits the necessary and the configured variables, and no keys', async () => {
  await using session = await McpSession.open({
    servers: [sample('sample', { GIVEN: 'this' })],
    answers: [['sample__environment', {}]],
    env: { ANTHROPIC_API_KEY: 'k', LANG: 'C' },
  });
  await session.prompt();
  const [{ value }] = session.results as [{ readonly value: string }];
  expect(Object.keys(JSON.parse(value) as object).toSorted()).toEqual([
    'GIVEN',
    'HOME',
    'LANG',
    'PATH',
    'TURNWIRE_LAUNCH',
  ]);
});

test("a server starts in the session's folder and gets the session's folders as roots", async () => {
  await using session = await McpSession.open({
    servers: [sample()],
    answers: [
      ['sample__where', {}],
      ['sample__roots', {}],
    ],
  });
  await session.prompt();
  expect(session.results).toEqual([
    { type: 'text', value: session.folder },
    { type: 'text', value: JSON.stringify([{ uri: `file://${session.folder}` }]) },
  ]);
});

test('a server ends with its session', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__pid', {}]] });
  await session.prompt();
  const [{ value }] = session.results as [{ readonly value: string }];
  expect(isAlive(Number(value))).toBe(true);
  await session.close();
  expect(isAlive(Number(value))).toBe(false);
});

const colour = { colour: 'red' };

test('a question of a server reaches the user, and the answer reaches the server', async () => {
  const asked: unknown[] = [];
  await using session = await McpSession.open({
    servers: [sample()],
    answers: [['sample__ask', {}]],
    capabilities: { elicitation: { form: {} } },
    elicit: (request) => {
      asked.push(request);
      return { action: 'accept', content: colour };
    },
  });
  await session.prompt();
  expect(asked).toEqual([
    expect.objectContaining({ mode: 'form', message: 'The MCP server sample asks: Which colour?' }),
  ]);
  expect(session.results).toEqual([{ type: 'text', value: JSON.stringify({ action: 'accept', content: colour }) }]);
});

test('the timeout of a call pauses while the user answers', async () => {
  const callLimit = within(500);
  await using session = await McpSession.open({
    servers: [sample()],
    answers: [['sample__ask', {}]],
    capabilities: { elicitation: { form: {} } },
    limits: { callLimit },
    elicit: async () => {
      await new Promise((resolve) => setTimeout(resolve, 2 * callLimit));
      return { action: 'decline' };
    },
  });
  await session.prompt();
  expect(session.results).toEqual([{ type: 'text', value: '{"action":"decline"}' }]);
});

test('a server gets an error if the client cannot ask the user', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__ask', {}]] });
  await session.prompt();
  expect(session.results).toEqual([{ type: 'error-text', value: expect.stringContaining('elicitation') }]);
});

test('prompts of servers become commands', async () => {
  await using session = await McpSession.open({ servers: [sample()] });
  await session.prompt();
  await session.prompt('/sample:review a.ts very kind');
  expect(session.model.asked.at(-1)?.prompt.at(-1)).toMatchObject({
    role: 'user',
    content: [{ type: 'text', text: 'Review a.ts (very kind).' }],
  });
  await session.prompt('/sample:review');
  expect(session.said).toContain('It needs file: `/sample:review file [tone]`.');
});

test('a client gets the prompts once the server is connected, and again when they change', async () => {
  await using session = await McpSession.open({
    servers: [sample()],
    answers: [
      ['sample__grow', {}],
      ['sample__grown', {}],
    ],
  });
  const offers = (): readonly string[] =>
    session.updates.flatMap((update) =>
      update.sessionUpdate === 'available_commands_update'
        ? [
            update.availableCommands
              .map(({ name }) => name)
              .filter((name) => name.includes(':'))
              .join(),
          ]
        : [],
    );
  await until(() => offers().includes('sample:review'));
  const turn = session.prompt();
  await until(() => offers().includes('sample:review,sample:fresh'));
  await turn;
  await session.prompt();
  expect(session.offered).toContain('sample__grown');
});

test('resources are read by a tool', async () => {
  await using session = await McpSession.open({
    servers: [sample()],
    answers: [
      ['read-resource', { server: 'sample', uri: 'notes://day/monday' }],
      ['read-resource', { server: 'other', uri: 'x' }],
    ],
  });
  await session.prompt();
  expect(session.results).toEqual([
    { type: 'text', value: 'notes://day/monday:\nnotes of monday' },
    { type: 'error-text', value: 'There is no MCP server other with resources. There are: sample.' },
  ]);
  await session.prompt('/mcp resources');
  expect(session.said).toContain('- `notes://today`');
  expect(session.said).toContain('- `notes://day/{day}`');
});

test('the log of a server is kept', async () => {
  await using session = await McpSession.open({ servers: [sample()], answers: [['sample__log', {}]] });
  await session.prompt();
  await session.prompt('/mcp log sample');
  expect(session.said).toContain('- `sample is up`\n- `[warning] sample: it is late`');
});

const remotes: readonly (readonly [type: 'http' | 'sse', open: () => Promise<McpHttpServer>])[] = [
  ['http', streamableServer],
  ['sse', sseServer],
];

test.each(remotes)('a server is reached over %s, with its headers', async (type, open) => {
  await using server = await open();
  const headers = [{ name: 'Authorization', value: 'Bearer sesame-123' }];
  await using session = await McpSession.open({
    servers: [{ type, name: 'far', url: server.url, headers }],
    answers: [
      ['far__echo', { text: 'hello' }],
      ['far__steps', {}],
    ],
  });
  await session.prompt();
  expect(session.results).toEqual([
    { type: 'text', value: 'hello' },
    { type: 'text', value: 'done' },
  ]);
  expect(new Set(server.seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer sesame-123']));
  await session.prompt('/mcp');
  expect(session.said).toContain(
    '**`far`** (provided by the client, `' + server.url + '`): connected, 15 tools, 1 prompt, 2 resources',
  );
  expect(JSON.stringify(session.updates)).not.toContain('sesame-123');
});

test('with waitForMcp a prompt waits for a slow server, and a failed one is reported', async () => {
  const slow = (script: string): McpServer => {
    return { name: 'slow', command: '/bin/sh', args: ['-c', script, process.execPath, samplePath], env: [] };
  };
  const broken = { name: 'broken', command: '/bin/sh', args: ['-c', 'sleep 0.2; exit 3'], env: [] };
  const open = (waitForMcp: boolean, script: string): Promise<McpSession> =>
    McpSession.open({ servers: [slow(script), broken], limits: { promptWait: 10 }, waitForMcp });
  await using waiting = await open(true, 'sleep 0.5; exec "$0" "$1"');
  await waiting.prompt();
  await using other = await open(false, 'exec sleep 60');
  await other.prompt();
  const offered = [waiting, other].map(({ model }) => model.offered[0]?.includes('slow__echo'));
  expect({ offered, notices: waiting.notices }).toEqual({
    offered: [true, false],
    notices: [expect.stringContaining('The MCP server broken cannot be used')],
  });
});

const unknownSessions: readonly (readonly [how: string, answer: UnknownSession])[] = [
  ['404, as MCP wants it', (response) => response.writeHead(404).end()],
  ['400', (response) => response.writeHead(400).end('No valid session ID provided')],
  [
    'an error in a 200',
    (response, body) => {
      const { id } = JSON.parse(body) as { readonly id: number };
      const error = { code: -32_001, message: 'Session not found' };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    },
  ],
];

test.each(unknownSessions)('a restarted server is called again in a new session: %s', async (_how, answer) => {
  await using server = await streamableServer(answer);
  await using session = await McpSession.open({
    servers: [{ type: 'http', name: 'far', url: server.url, headers: [] }],
    answers: [
      ['far__echo', { text: 'one' }],
      ['far__echo', { text: 'two' }],
    ],
  });
  await until(async () => {
    await session.prompt('/mcp');
    return session.said.includes('connected, 15 tools');
  });
  server.forget();
  await session.prompt();
  expect(session.results).toEqual([
    { type: 'text', value: 'one' },
    { type: 'text', value: 'two' },
  ]);
});

test('cookies are returned, for load balancers with sticky sessions', async () => {
  await using server = await streamableServer(undefined, 'node=7; Path=/; HttpOnly');
  await using session = await McpSession.open({
    servers: [{ type: 'http', name: 'far', url: server.url, headers: [] }],
    answers: [['far__echo', { text: 'one' }]],
  });
  await session.prompt();
  expect({
    results: session.results,
    cookies: new Set(server.seen.slice(1).map(({ cookie }) => cookie)),
    first: server.seen[0]?.cookie,
  }).toEqual({ results: [{ type: 'text', value: 'one' }], cookies: new Set(['node=7']), first: undefined });
});

const statuses = [
  [401, 'it requires a login (HTTP 401). Check the header Authorization in its configuration.'],
  [404, 'there is no MCP server at its address (HTTP 404). Check the path.'],
  [503, 'it has an internal error (HTTP 503). Try again later: /mcp reconnect.'],
] as const;

test.each(statuses)('a server that answers %i is reported', async (status, reason) => {
  await using server = await refusingServer(status);
  await using session = await McpSession.open({
    servers: (['http', 'sse'] as const).map((type) => ({ type, name: type, url: server.url, headers: [] })),
  });
  expect(await session.prompt()).toEqual({ stopReason: 'end_turn' });
  expect(session.notices.toSorted()).toEqual([
    `The MCP server http cannot be used: ${reason}`,
    `The MCP server sse cannot be used: ${reason}`,
  ]);
  await session.prompt();
  expect(session.notices).toHaveLength(2);
});

test('a missing program and an address without a listener are reported', async () => {
  const nobody = await refusingServer(500);
  await nobody[Symbol.asyncDispose]();
  await using session = await McpSession.open({
    servers: [
      { name: 'gone', command: '/no/such/program', args: [], env: [] },
      { type: 'http', name: 'deaf', url: nobody.url, headers: [] },
    ],
  });
  await session.prompt();
  expect(session.notices.toSorted()).toEqual([
    `The MCP server deaf cannot be used: nothing listens at ${new URL(nobody.url).host}. Start the server, or correct its address.`,
    'The MCP server gone cannot be used: the program /no/such/program was not found. Install it, or correct its path in the configuration.',
  ]);
});

test('servers get the name and version of the agent', () => {
  const { name, title, version } = coderAgent().info;
  expect(clientInfo).toEqual({ name, title, version });
});

test('/mcp reports a session without servers', async () => {
  await using session = await McpSession.open();
  await session.prompt('/mcp');
  await session.prompt('/mcp dance');
  expect(session.said).toMatch(/^There are no MCP servers\..*There is no `\/mcp dance`\./su);
});
