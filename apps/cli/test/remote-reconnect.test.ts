import { memoryStore } from '@turnwire/agent';
import { type ListeningAgent, serveAgent } from '@turnwire/agent/node';
import { launchAgent } from '@turnwire/client/node';
import { expect, onTestFinished, test } from 'vitest';
import { RelayMemory } from '../src/relay/relay-memory.ts';
import { commandWords } from './command.ts';

/** An agent that can be gone for a while. */
class Remote {
  readonly #store = memoryStore();
  #agent: ListeningAgent | undefined;
  #port = 0;

  async listen(token = 'secret'): Promise<ListeningAgent> {
    this.#agent = await serveAgent(
      {
        info: { name: 'remote', version: '1.0.0' },
        store: this.#store,
        prompt: async (turn) => {
          await turn.say(turn.text);
          if (turn.text === 'wait') await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        },
      },
      { listen: { port: this.#port, token } },
    );
    this.#port = Number(new URL(this.#agent.url).port);
    onTestFinished(() => this.#agent?.close());
    return this.#agent;
  }

  async cut(): Promise<void> {
    await this.#agent?.close();
  }
}

test.each(['url', 'httpUrl'] as const)(
  'connect restores a broken connection, and the session continues: %s',
  async (name) => {
    const remote = new Remote();
    const { [name]: url } = await remote.listen();
    await using agent = await launchAgent([process.execPath, ...commandWords, 'connect', url], {
      env: { TURNWIRE_TOKEN: 'secret' },
    });
    const updates: string[] = [];
    const session = await agent.newSession({
      cwd: process.cwd(),
      onUpdate: (update) => {
        if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
          updates.push(update.content.text);
        return undefined;
      },
    });
    expect(await session.prompt('first')).toEqual({ stopReason: 'end_turn' });
    const turn = session.prompt('wait');
    await expect.poll(() => updates).toEqual(['first', 'wait']);
    await remote.cut();
    await expect(turn).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('The connection to the agent broke') as string,
    });
    await remote.listen();
    expect(await session.prompt('second')).toEqual({ stopReason: 'end_turn' });
    expect(updates).toEqual(['first', 'wait', 'second']);
  },
);

test.each([
  ['url', 'the server did not accept the WebSocket: 401 Unauthorized'],
  ['httpUrl', 'the server answered 401 Unauthorized'],
] as const)('credentials that are refused on reconnect end it at once: %s', async (name, refusal) => {
  const remote = new Remote();
  const { [name]: url } = await remote.listen();
  await using agent = await launchAgent([process.execPath, ...commandWords, 'connect', url], {
    env: { TURNWIRE_TOKEN: 'secret' },
  });
  await remote.cut();
  await remote.listen('another');
  const { exit, stderr = '' } = await agent.closed;
  expect({ exit, last: stderr.trim().split('\n').slice(1) }).toEqual({
    exit: { code: 1, signal: null },
    last: [
      `turnwire: ${url}: ${refusal}: Not authorized. Send a valid token in the Authorization header. Check TURNWIRE_TOKEN, the headers of its configuration, or --header-file; not retrying`,
    ],
  });
});

test('a late answer to a question from before a disconnect is dropped, and its id is not reused until then', () => {
  const memory = new RelayMemory();
  const question = '{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s"}}';
  const answer = '{"jsonrpc":"2.0","id":0,"result":{}}';
  memory.toClient(question);
  expect(memory.broke()).toEqual({ unanswered: [], unasked: [0] });
  const before = memory.toClient(question).isUnsafe;
  const late = memory.toAgent(answer);
  const after = memory.toClient(question).isUnsafe;
  expect({ before, late, after, answered: memory.toAgent(answer)?.sessionId }).toEqual({
    before: true,
    late: undefined,
    after: false,
    answered: 's',
  });
});

test('a reconnect repeats initialize as it was sent and restores the open sessions', () => {
  const memory = new RelayMemory();
  const both = (frames: readonly (readonly [client: object, agent: object])[]): void => {
    for (const [client, agent] of frames) {
      memory.toAgent(JSON.stringify(client));
      memory.toClient(JSON.stringify(agent));
    }
  };
  const initialize = { id: 0, method: 'initialize', params: {} };
  expect(memory.initialize).toBe(undefined);
  both([
    [initialize, { id: 0, result: { agentCapabilities: { loadSession: true } } }],
    [
      { id: 1, method: 'session/new', params: { cwd: '/a', mcpServers: [] } },
      { id: 1, result: { sessionId: 'a' } },
    ],
    [
      { id: 2, method: 'session/load', params: { sessionId: 'b', cwd: '/b', mcpServers: [] } },
      { id: 2, result: null },
    ],
    [
      { id: 3, method: 'session/load', params: { sessionId: 'c', cwd: '/c', mcpServers: [] } },
      { id: 3, error: {} },
    ],
    [
      { id: 4, method: 'session/close', params: { sessionId: 'b' } },
      { id: 4, result: {} },
    ],
  ]);
  expect({ initialize: memory.initialize, sessions: memory.restoring() }).toEqual({
    initialize: JSON.stringify(initialize),
    sessions: [{ sessionId: 'a', method: 'session/load', params: { cwd: '/a', mcpServers: [], sessionId: 'a' } }],
  });
});

test('a reconnect resumes sessions of version 2 without their replay', () => {
  const memory = new RelayMemory();
  const exchange = (client: object, result: object): void => {
    memory.toAgent(JSON.stringify(client));
    memory.toClient(JSON.stringify({ id: (client as { readonly id: number }).id, result }));
  };
  exchange({ id: 0, method: 'initialize', params: {} }, { protocolVersion: 2, capabilities: { session: {} } });
  exchange({ id: 1, method: 'session/new', params: { cwd: '/a' } }, { sessionId: 'a' });
  const resumed = { sessionId: 'b', cwd: '/b', replayFrom: { type: 'start' } };
  exchange({ id: 2, method: 'session/resume', params: resumed }, {});
  expect(memory.restoring()).toEqual([
    { sessionId: 'a', method: 'session/resume', params: { cwd: '/a', sessionId: 'a' } },
    { sessionId: 'b', method: 'session/resume', params: { cwd: '/b', sessionId: 'b' } },
  ]);
});
