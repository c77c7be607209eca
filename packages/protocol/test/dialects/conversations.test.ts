import { connectAgent, connectClient, goReference, pharo, type SessionUpdate } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { macrotask, outcome, readyAgent, readyClient, TestWire } from '../peer/test-wire.ts';

/*
 * The conversations the two documents print, held with a real peer: what its handlers receive is official,
 * and what its callers get back is too.
 */

const usage = [{ type: 'text', text: 'Create a HelloWorld class' }] as const;

describe('an agent that is told its client speaks Pharo', () => {
  test('an agent with the Pharo dialect initializes, opens a session and answers a prompt, and its handlers get official messages', async () => {
    const wire = new TestWire();
    const received: unknown[] = [];
    connectAgent(
      wire,
      {
        initialize: (params) => (received.push(params), { protocolVersion: 1 }),
        'session/new': (params) => (received.push(params), { sessionId: 'sess_abc123' }),
        'session/prompt': (params) => (received.push(params), { stopReason: 'end_turn' }),
      },
      { dialect: pharo },
    );
    const every = { create: true, output: true, waitForExit: true, kill: true, release: true };
    const server = {
      transport: 'stdio',
      command: '/usr/local/bin/mcp-server',
      args: ['--verbose'],
      env: { API_KEY: 'secret' },
    };
    wire.feed(
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: every },
        },
      },
      { id: 2, method: 'session/new', params: { cwd: '/home/user/my-project', mcpServers: [server] } },
      { id: 3, method: 'session/prompt', params: { sessionId: 'sess_abc123', prompt: usage } },
    );
    expect(await wire.frames(3)).toEqual([
      { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1 } },
      { jsonrpc: '2.0', id: 2, result: { sessionId: 'sess_abc123' } },
      { jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } },
    ]);
    expect(received).toMatchObject([
      { clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true } },
      {
        mcpServers: [
          {
            name: 'mcp-server',
            command: '/usr/local/bin/mcp-server',
            args: ['--verbose'],
            env: [{ name: 'API_KEY', value: 'secret' }],
          },
        ],
      },
      { prompt: usage },
    ]);
  });

  test('an agent with the Pharo dialect reads a configuration option under its Pharo name, and looks up the folder of a loaded session if the request has none', async () => {
    const received: unknown[] = [];
    const lookup = { cwd: (id: string) => (id === 'sess_1' ? '/stored' : undefined) };
    const { wire } = await readyAgent(
      {
        'session/set_config_option': (params) => (received.push(params), { configOptions: [] }),
        'session/load': ({ cwd }) => (received.push(cwd), {}),
      },
      { dialect: pharo, lookup },
    );
    wire.feed(
      {
        id: 1,
        method: 'session/set_config_option',
        params: { sessionId: 'sess_1', option: 'autoApproveTools', value: true },
      },
      { id: 2, method: 'session/load', params: { sessionId: 'sess_1', mcpServers: [] } },
    );
    await wire.frames(2);
    expect(received).toEqual([
      { sessionId: 'sess_1', configId: 'autoApproveTools', type: 'boolean', value: true },
      '/stored',
    ]);
  });

  test('an agent with the Pharo dialect gets answers about permissions and terminals in their official forms', async () => {
    const { wire, peer } = await readyAgent({}, { dialect: pharo });
    const ask = (): Promise<unknown> =>
      peer.request('session/request_permission', {
        sessionId: 's',
        toolCall: { toolCallId: 'c' },
        options: [{ optionId: 'allow', name: 'Delete files', kind: 'allow_once' }],
      });
    const answers = [
      outcome(ask()),
      outcome(ask()),
      outcome(peer.request('terminal/output', { sessionId: 's', terminalId: 't' })),
      outcome(peer.request('terminal/kill', { sessionId: 's', terminalId: 't' })),
    ];
    wire.feed(
      { id: 0, result: { selectedOptionId: 'allow' } },
      { id: 1, result: { selectedOptionId: 'something else' } },
      { id: 2, result: { output: 'Terminal output text...', exitCode: null } },
      { id: 3, result: null },
    );
    expect(await Promise.all(answers)).toEqual([
      { resolved: { outcome: { outcome: 'selected', optionId: 'allow' } } },
      { resolved: { outcome: { outcome: 'cancelled' } } },
      { resolved: { output: 'Terminal output text...', truncated: false } },
      { resolved: {} },
    ]);
  });
});

describe('a client that is told its agent speaks Pharo', () => {
  test('a client with the Pharo dialect gets the updates of a turn in their official forms', async () => {
    const updates: SessionUpdate[] = [];
    const { wire, peer } = await readyClient(
      { 'session/update': ({ update }) => void updates.push(update) },
      { dialect: pharo },
    );
    const turn = outcome(peer.request('session/prompt', { sessionId: 's', prompt: [...usage] }));
    const update = (value: object): void =>
      wire.feed({ method: 'session/update', params: { sessionId: 's', update: value } });
    update({
      type: 'message',
      role: 'agent',
      content: [
        { type: 'text', text: 'I will create' },
        { type: 'text', text: ' a class.' },
      ],
    });
    update({
      type: 'tool_call',
      toolCallId: 'tool_1',
      title: 'Write',
      kind: 'edit',
      status: 'pending',
      location: { path: '/a', line: 10 },
      content: [],
    });
    update({
      type: 'tool_call_update',
      toolCallId: 'tool_1',
      status: 'completed',
      content: [{ type: 'text', text: 'File read successfully' }],
    });
    update({ type: 'current_mode_update', modeId: 'code' });
    wire.feed({ id: 1, result: { stopReason: 'end_turn' } });
    expect(await turn).toEqual({ resolved: { stopReason: 'end_turn' } });
    const messageId = (updates[0] as { messageId?: string }).messageId;
    expect(updates).toEqual([
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I will create' }, messageId },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: ' a class.' }, messageId },
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'tool_1',
        title: 'Write',
        kind: 'edit',
        status: 'pending',
        locations: [{ path: '/a', line: 10 }],
        content: [],
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'tool_1',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'File read successfully' } }],
      },
      { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
    ]);
    expect(messageId).toBeTypeOf('string');
  });

  test('a client with the Pharo dialect gets modes and logins, answers a permission request without a tool call, and reads files by line range', async () => {
    const wire = new TestWire();
    const seen: unknown[] = [];
    const client = connectClient(
      wire,
      {
        'session/request_permission': ({ toolCall, options }) => {
          seen.push([toolCall.title, options]);
          return { outcome: { outcome: 'selected', optionId: 'allow' } };
        },
        'fs/read_text_file': ({ line, limit }) => (seen.push([line, limit]), { content: '' }),
      },
      { dialect: pharo },
    );
    const initialized = client.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true } },
    });
    const agentCapabilities = {
      loadSession: true,
      mcpCapabilities: { supportedTransports: ['stdio', 'http'] },
      sessionModes: [{ modeId: 'code', title: 'Code Mode', description: 'Writes' }],
    };
    wire.feed({
      id: 0,
      result: {
        protocolVersion: 1,
        agentCapabilities,
        authenticationMethods: [{ methodId: 'api_key', title: 'API Key' }],
      },
    });
    expect(await initialized).toMatchObject({
      agentCapabilities: { mcpCapabilities: { http: true } },
      authMethods: [{ id: 'api_key', name: 'API Key' }],
    });
    const opened = client.request('session/new', { cwd: '/', mcpServers: [] });
    wire.feed({ id: 1, result: { sessionId: 's' } });
    expect(await opened).toMatchObject({
      sessionId: 's',
      modes: { availableModes: [{ id: 'code', name: 'Code Mode', description: 'Writes' }] },
    });
    wire.take();
    wire.feed(
      {
        id: 30,
        method: 'session/request_permission',
        params: {
          sessionId: 's',
          title: 'Delete test files?',
          options: [{ optionId: 'allow', kind: 'allow_once', label: 'Delete files' }],
        },
      },
      { id: 31, method: 'fs/read_text_file', params: { sessionId: 's', path: '/a', startLine: 10, lineLimit: 50 } },
    );
    expect(await wire.frames(2)).toEqual([
      { jsonrpc: '2.0', id: 30, result: { outcome: { outcome: 'selected', optionId: 'allow' } } },
      { jsonrpc: '2.0', id: 31, result: { content: '' } },
    ]);
    expect(seen).toEqual([
      ['Delete test files?', [{ optionId: 'allow', kind: 'allow_once', name: 'Delete files' }]],
      [10, 50],
    ]);
  });

  test('a client with the Pharo dialect gets errors with the official codes', async () => {
    const { wire, peer } = await readyClient({}, { dialect: pharo });
    const lost = outcome(peer.request('session/prompt', { sessionId: 'gone', prompt: [...usage] }));
    wire.feed({ id: 1, error: { code: -32005, message: 'Session not found' } });
    expect(await lost).toMatchObject({ code: -32002, message: 'Session not found', data: { sessionId: 'gone' } });
  });
});

describe('peers that are told the other side speaks the Go reference', () => {
  test('a client with the Go dialect gets tool calls and a plan in their official forms', async () => {
    const updates: SessionUpdate[] = [];
    const { wire, peer } = await readyClient(
      { 'session/update': ({ update }) => void updates.push(update) },
      { dialect: goReference },
    );
    const turn = outcome(peer.request('session/prompt', { sessionId: 's', prompt: [...usage] }));
    const update = (value: object): void =>
      wire.feed({ method: 'session/update', params: { sessionId: 's', update: value } });
    update({
      kind: 'tool_call',
      toolCallId: 't',
      title: 'Edit',
      toolKind: 'edit',
      status: 'pending',
      input: { path: '/a' },
    });
    update({
      kind: 'tool_call_update',
      toolCallId: 't',
      status: 'completed',
      output: [{ type: 'diff', path: '/a', oldContent: 'x', newContent: 'y' }],
    });
    update({ plan: { description: 'How', steps: ['first'] } });
    wire.feed({ id: 1, result: { sessionId: 's', stopReason: 'end_turn' } });
    expect(await turn).toMatchObject({ resolved: { stopReason: 'end_turn' } });
    expect(updates).toMatchObject([
      {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'Edit',
        kind: 'edit',
        status: 'pending',
        rawInput: { path: '/a' },
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        status: 'completed',
        content: [{ type: 'diff', path: '/a', oldText: 'x', newText: 'y' }],
      },
      { sessionUpdate: 'plan', entries: [{ content: 'first', priority: 'medium', status: 'pending' }] },
    ]);
  });

  test('an agent with the Go dialect reads a map of servers and a resourceLink block in their official forms', async () => {
    const received: unknown[] = [];
    const { wire } = await readyAgent(
      {
        'session/new': ({ mcpServers }) => (received.push(mcpServers), { sessionId: 's' }),
        'session/prompt': ({ prompt }) => (received.push(prompt), { stopReason: 'end_turn' }),
      },
      { dialect: goReference },
    );
    wire.feed(
      {
        id: 1,
        method: 'session/new',
        params: {
          cwd: '/',
          mcpServers: {
            api: { type: 'http', url: 'https://mcp.example.com', headers: { Authorization: 'Bearer xxx' } },
          },
        },
      },
      {
        id: 2,
        method: 'session/prompt',
        params: { sessionId: 's', prompt: [{ type: 'resourceLink', uri: 'file:///a', name: 'a' }] },
      },
    );
    await wire.frames(2);
    expect(received).toEqual([
      [
        {
          name: 'api',
          type: 'http',
          url: 'https://mcp.example.com',
          headers: [{ name: 'Authorization', value: 'Bearer xxx' }],
        },
      ],
      [{ type: 'resource_link', uri: 'file:///a', name: 'a' }],
    ]);
  });

  test('a client with the Go dialect reads error -32000 for a closed connection as an internal error, not as a required login', async () => {
    const { wire, peer } = await readyClient({}, { dialect: goReference });
    const failed = outcome(peer.request('session/prompt', { sessionId: 's', prompt: [...usage] }));
    wire.feed({ id: 1, error: { code: -32000, message: 'Connection closed' } });
    expect(await failed).toMatchObject({ code: -32603 });
    await macrotask();
  });
});
