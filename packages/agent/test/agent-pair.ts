import { connectClient, protocolVersion } from '@turnwire/protocol';
import type { ClientCapabilities, Handlers, LogEntry, Peer, PromptResponse, SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { afterEach } from 'vitest';
import { serveAgent } from '../src/node/index.ts';
import type { AgentDefinition, ServedAgent, Turn } from '../src/index.ts';
import type { ServeOptions } from '../src/node/index.ts';

/** An agent and a client connected in memory, and their messages. */
export interface AgentPair<Memory> {
  readonly agent: ServedAgent;
  readonly client: Peer<'client'>;
  /** What the client received, answers to prompts included, in order. */
  readonly received: (SessionUpdate | PromptResponse)[];
  /** What the agent logged above `info`. */
  readonly logged: LogEntry[];
  readonly definition: AgentDefinition<Memory>;
  /** Begins a session and returns its id. */
  readonly open: () => Promise<string>;
  /** Sends a prompt of one text. */
  readonly prompt: (sessionId: string, text: string) => Promise<PromptResponse>;
}

/** How a pair differs from the usual. */
export interface PairOptions extends ServeOptions {
  readonly client?: Handlers<'client'>;
  readonly capabilities?: ClientCapabilities;
}

const violations: string[] = [];

// Whatever a test is about, its agent keeps to the protocol.
afterEach(() => {
  const found = violations.splice(0);
  if (found.length > 0) throw new Error(`the agent broke a rule of the protocol: ${found.join(', ')}`);
});

const info = { name: 'test', version: '1.0.0' };

/** Serves an agent that has this prompt handler, or this definition, and connects an initialized client to it. */
export async function pair<Memory = undefined>(
  mind: Partial<AgentDefinition<Memory>> | ((turn: Turn<Memory>) => ReturnType<AgentDefinition<Memory>['prompt']>),
  { client: handlers, capabilities, ...options }: PairOptions = {},
): Promise<AgentPair<Memory>> {
  const definition = { info, prompt: () => undefined, ...(typeof mind === 'function' ? { prompt: mind } : mind) };
  const received: (SessionUpdate | PromptResponse)[] = [];
  const logged: LogEntry[] = [];
  const log = (entry: LogEntry): void =>
    void ((entry.level === 'warn' || entry.level === 'error') && logged.push(entry));
  const [here, there] = memoryPair();
  const agent = serveAgent<Memory>(definition, {
    transport: there,
    log,
    selfCheck: (rule) => void violations.push(rule),
    ...options,
  });
  const client = connectClient(here, { 'session/update': ({ update }) => void received.push(update), ...handlers });
  await client.request('initialize', { protocolVersion, ...(capabilities && { clientCapabilities: capabilities }) });
  return {
    agent,
    client,
    received,
    logged,
    definition,
    open: async () => {
      const { sessionId } = await client.request('session/new', { cwd: '/', mcpServers: [] });
      // The client buffers updates of a session that it has just learnt of.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return sessionId;
    },
    prompt: async (sessionId, text) => {
      const answer = await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      received.push(answer);
      return answer;
    },
  };
}

/** Replaces generated ids by their number of appearance, so that whole values can be compared. */
export function numbered<Value>(value: Value): Value {
  const ids: string[] = [];
  const text = JSON.stringify(value).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
    if (!ids.includes(id)) ids.push(id);
    return `id-${ids.indexOf(id) + 1}`;
  });
  return JSON.parse(text) as Value;
}

/** A promise and the means to settle it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
