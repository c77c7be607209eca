// The same code with the official SDK and with ours, side by side, for the migration page. A test compiles and runs it.
import * as acp from '@agentclientprotocol/sdk/unstable';
import { defineAgent, serveAgent, type Turn } from '@turnwire/agent';
import { attachAgent, optionOfKind } from '@turnwire/client';
import { authenticationRequired, connectAgent, connectClient, methodNotFound, type Peer } from '@turnwire/protocol';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { webStreamTransport } from '@turnwire/transports/web-streams';

/** Two byte streams: stdin and stdout of a process as web streams, a socket, or a pair in memory. */
export interface Bytes {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

export function officialAgent({ input, output }: Bytes): void {
  // #region official-agent
  acp
    .agent({ name: 'echo' })
    .onRequest('initialize', () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
    .onRequest('session/new', () => ({ sessionId: crypto.randomUUID() }))
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
      for (const content of prompt)
        await client.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
      return { stopReason: 'end_turn' };
    })
    .connect(acp.ndJsonStream(output, input));
  // #endregion
}

export function peerAgent({ input, output }: Bytes): void {
  // #region peer-agent
  connectAgent(webStreamTransport({ readable: input, writable: output }), {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
    'session/new': () => ({ sessionId: crypto.randomUUID() }),
    'session/prompt': async ({ sessionId, prompt }, { peer }) => {
      for (const content of prompt)
        await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
      return { stopReason: 'end_turn' };
    },
  });
  // #endregion
}

export function definedAgent({ input, output }: Bytes): void {
  // #region defined-agent
  const echo = defineAgent({
    info: { name: 'echo', version: '1.0.0' },
    prompt: async (turn) => {
      for (const content of turn.prompt) await turn.say(content);
    },
  });
  serveAgent(echo, { transport: webStreamTransport({ readable: input, writable: output }) });
  // #endregion
}

export async function officialClient({ input, output }: Bytes): Promise<string> {
  // #region official-client
  return acp
    .client({ name: 'example' })
    .onRequest('session/request_permission', ({ params: { options } }) => {
      const option = options.find(({ kind }) => kind === 'allow_once');
      return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
    })
    .connectWith(acp.ndJsonStream(output, input), async (agent) => {
      await agent.request('initialize', { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
      return agent.buildSession(process.cwd()).withSession(async (session) => {
        void session.prompt('Hello');
        return session.readText();
      });
    });
  // #endregion
}

export async function ourClient({ input, output }: Bytes): Promise<string> {
  // #region our-client
  await using agent = await attachAgent(webStreamTransport({ readable: input, writable: output }), {
    permission: ({ options }) => optionOfKind(options, 'allow_once'),
  });
  const session = await agent.newSession({ cwd: process.cwd() });
  let text = '';
  for await (const update of session.prompt('Hello'))
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') text += update.content.text;
  return text;
  // #endregion
}

interface Count {
  readonly count: number;
}

export function officialExtensions({ input, output }: Bytes): void {
  // #region official-extensions
  acp
    .agent({ name: 'counter' })
    .onRequest('initialize', () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
    .onRequest('session/new', () => {
      throw acp.RequestError.authRequired();
    })
    .onRequest('_example/count', { parse: (params) => params as Count }, ({ params }) => ({ count: params.count + 1 }))
    .onRequest('*', ({ method }) => {
      throw acp.RequestError.methodNotFound(method);
    })
    .connect(acp.ndJsonStream(output, input));
  // #endregion
}

export function ourExtensions({ input, output }: Bytes): void {
  // #region our-extensions
  connectAgent(webStreamTransport({ readable: input, writable: output }), {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
    'session/new': () => {
      throw authenticationRequired();
    },
    '_example/count': (params) => ({ count: (params as Count).count + 1 }),
    '*': (_params, { method }) => {
      throw methodNotFound(method);
    },
  });
  // #endregion
}

export async function officialCommand(agent: acp.AgentContext, sessionId: string): Promise<string> {
  // #region official-terminal
  await using terminal = await agent.createTerminal({ sessionId, command: 'ls' });
  await terminal.waitForExit();
  const { output } = await terminal.currentOutput();
  // #endregion
  return output;
}

export async function ourCommand(turn: Turn): Promise<string> {
  // #region our-terminal
  const tool = turn.tool({ title: 'ls', kind: 'execute' });
  const { output } = await turn.commands.run(tool, { command: 'ls' });
  // #endregion
  return output;
}

export async function officialStatus(agent: acp.ClientContext, sessionId: string): Promise<string> {
  // #region official-unstable
  // import * as acp from '@agentclientprotocol/sdk/unstable';
  const { status } = await agent.request('session/status', { sessionId });
  // #endregion
  return status;
}

export async function ourStatus({ input, output }: Bytes, sessionId: string): Promise<string> {
  // #region our-unstable
  const transport = webStreamTransport({ readable: input, writable: output });
  const agent = connectClient(transport, {}, { edition: v1Unstable });
  await agent.request('initialize', { protocolVersion: 1 });
  const { status } = await agent.request('session/status', { sessionId });
  // #endregion
  return status;
}

export function ourUnstableAgent({ input, output }: Bytes): void {
  // #region our-unstable-agent
  const definition = defineAgent({
    info: { name: 'echo', version: '1.0.0' },
    edition: v1Unstable,
    capabilities: { sessionCapabilities: { status: {} } },
    extensions: { 'session/status': () => ({ status: 'open' }) },
    prompt: (turn) => turn.say(`You said: ${turn.text}`),
  });
  serveAgent(definition, { transport: webStreamTransport({ readable: input, writable: output }) });
  // #endregion
}

export async function ourAttachedStatus({ input, output }: Bytes): Promise<string> {
  // #region our-unstable-client
  const transport = webStreamTransport({ readable: input, writable: output });
  const agent = await attachAgent(transport, { edition: v1Unstable, capabilities: { plan: {} } });
  const session = await agent.newSession({ cwd: '/' });
  const { status } = await agent.peer.request('session/status', { sessionId: session.id });
  // #endregion
  return status;
}

export async function officialCancel(agent: acp.ClientContext, signal: AbortSignal): Promise<void> {
  // #region official-cancel
  await agent.request('session/list', {}, { cancellationSignal: signal });
  // #endregion
}

export async function ourCancel(agent: Peer<'client'>, signal: AbortSignal): Promise<void> {
  // #region our-cancel
  await agent.request('session/list', {}, { signal });
  // #endregion
}
