import * as sdk from '@turnwire/sdk-compat';
import * as official from 'sdk-1.9';
import { expect, test } from 'vitest';
import { connectedStreams } from './both-packages.ts';
import { askEcho, serveEcho } from './class-example.ts';

const packages = { official: official as unknown as typeof sdk, ours: sdk };

test.each([
  ['official', 'official'],
  ['official', 'ours'],
  ['ours', 'official'],
  ['ours', 'ours'],
] as const)('the agent of the guide on the %s package answers its client on the %s package', async (agent, client) => {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  serveEcho(packages[agent], { input: there.readable, output: back.writable });
  expect(await askEcho(packages[client], { input: back.readable, output: there.writable })).toBe('Hello');
});

class EchoAgent implements sdk.Agent {
  readonly #connection: sdk.AgentSideConnection;
  readonly calls: unknown[] = [];

  constructor(connection: sdk.AgentSideConnection) {
    this.#connection = connection;
  }

  initialize(): sdk.InitializeResponse {
    return { protocolVersion: sdk.PROTOCOL_VERSION, agentCapabilities: {} };
  }

  newSession(): sdk.NewSessionResponse {
    return { sessionId: 'first' };
  }

  authenticate(): void {
    // The agent needs no login.
  }

  unstable_setSessionModel(params: sdk.SetSessionModelRequest): void {
    this.calls.push(params);
  }

  async prompt({ sessionId, prompt }: sdk.PromptRequest): Promise<sdk.PromptResponse> {
    const terminal = await this.#connection.createTerminal({ sessionId, command: 'ls' });
    const { output } = await terminal.currentOutput();
    await terminal.release();
    const { content } = await this.#connection.readTextFile({ sessionId, path: '/a' });
    for (const text of [output, content, JSON.stringify(prompt)])
      await this.#connection.sessionUpdate({
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      });
    return { stopReason: 'end_turn' };
  }

  cancel(params: sdk.CancelNotification): void {
    this.calls.push(params);
  }

  extMethod(method: string, params: Record<string, unknown>): Record<string, unknown> {
    return { method, params };
  }
}

test('both classes run a turn with files, a terminal, old names and extensions', async () => {
  const streams = connectedStreams(sdk);
  const texts: string[] = [];
  let agent: EchoAgent | undefined;
  void new sdk.AgentSideConnection((connection) => (agent = new EchoAgent(connection)), streams.agent);
  const released: unknown[] = [];
  const handlers: sdk.Client = {
    requestPermission: () => ({ outcome: { outcome: 'cancelled' } }),
    sessionUpdate: ({ update }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        texts.push(update.content.text);
    },
    readTextFile: ({ path }) => ({ content: `content of ${path}` }),
    createTerminal: () => ({ terminalId: 't' }),
    terminalOutput: () => ({ output: 'a.txt', truncated: false }),
    releaseTerminal: (params) => void released.push(params),
  };
  const connection = new sdk.ClientSideConnection(() => handlers, streams.client);
  await connection.initialize({ protocolVersion: sdk.PROTOCOL_VERSION });
  const { sessionId } = await connection.newSession({ cwd: '/', mcpServers: [] });
  const answers = [
    await connection.authenticate({ methodId: 'none' }),
    await connection.unstable_setSessionModel({ sessionId, modelId: 'fast' }),
    await connection.prompt({ sessionId, prompt: [{ type: 'text', text: 'Hi' }] }),
    await connection.extMethod('example/count', { from: 1 }),
    await connection.listSessions({}).catch((error: unknown) => (error as sdk.RequestError).code),
  ];
  await connection.cancel({ sessionId });
  await connection.extMethod('example/wait', {});
  expect(answers).toEqual([
    {},
    {},
    { stopReason: 'end_turn' },
    { method: 'example/count', params: { from: 1 } },
    -32601,
  ]);
  expect([texts, released, agent?.calls]).toEqual([
    ['a.txt', 'content of /a', '[{"type":"text","text":"Hi"}]'],
    [{ sessionId, terminalId: 't' }],
    [{ sessionId, modelId: 'fast' }, { sessionId }],
  ]);
});
