// An agent and a client with the classes of the official package 1.x, for the guide. A test runs them on both packages.
import type * as acp from '@turnwire/sdk-compat';

/** Either package. Inside the functions it has the name that programs give it. */
type Sdk = typeof acp;

interface Bytes {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

export function serveEcho(acp: Sdk, { input, output }: Bytes): void {
  // #region class-agent
  class EchoAgent implements acp.Agent {
    readonly #connection: acp.AgentSideConnection;
    readonly #cancelled = new Set<string>();

    constructor(connection: acp.AgentSideConnection) {
      this.#connection = connection;
    }

    async initialize(): Promise<acp.InitializeResponse> {
      return { protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} };
    }

    async authenticate(): Promise<void> {}

    async newSession(): Promise<acp.NewSessionResponse> {
      return { sessionId: crypto.randomUUID() };
    }

    async prompt({ sessionId, prompt }: acp.PromptRequest): Promise<acp.PromptResponse> {
      this.#cancelled.delete(sessionId);
      for (const content of prompt) {
        await this.#connection.sessionUpdate({ sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
        if (this.#cancelled.has(sessionId)) return { stopReason: 'cancelled' };
      }
      return { stopReason: 'end_turn' };
    }

    async cancel({ sessionId }: acp.CancelNotification): Promise<void> {
      this.#cancelled.add(sessionId);
    }
  }

  new acp.AgentSideConnection((connection) => new EchoAgent(connection), acp.ndJsonStream(output, input));
  // #endregion
}

export async function askEcho(acp: Sdk, { input, output }: Bytes): Promise<string> {
  // #region class-client
  let text = '';
  const handlers: acp.Client = {
    requestPermission: async ({ options }) => {
      const option = options.find(({ kind }) => kind === 'allow_once');
      return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
    },
    sessionUpdate: async ({ update }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') text += update.content.text;
    },
  };
  const agent = new acp.ClientSideConnection(() => handlers, acp.ndJsonStream(output, input));
  await agent.initialize({ protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
  const { sessionId } = await agent.newSession({ cwd: '/', mcpServers: [] });
  await agent.prompt({ sessionId, prompt: [{ type: 'text', text: 'Hello' }] });
  return text;
  // #endregion
}
