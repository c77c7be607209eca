import { type Agent, type AgentOptions, attachAgent } from '@turnwire/client';
import {
  type AgentCapabilities,
  type AuthMethod,
  connectAgent,
  type Handlers,
  type InitializeRequest,
  type Peer,
  type SessionUpdate,
} from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';

/** The options of an agent in the same process. */
export interface PairOptions extends AgentOptions {
  readonly capabilities?: AgentCapabilities;
  readonly authMethods?: readonly AuthMethod[];
  readonly handlers?: Handlers<'agent'>;
}

/** A client's agent, and the agent's end of the connection, which may misbehave. */
export interface Pair extends AsyncDisposable {
  readonly agent: Agent;
  readonly theirs: Peer<'agent'>;
  /** The parameters of `initialize`. */
  readonly said: InitializeRequest;
  /** Every call the agent received after `initialize`, by method and parameters. */
  readonly calls: readonly (readonly [method: string, params: unknown])[];
}

/** Connects a client to an agent in the same process. */
export async function pair({ capabilities, authMethods, handlers = {}, ...options }: PairOptions = {}): Promise<Pair> {
  const [ours, far] = memoryPair();
  const calls: (readonly [string, unknown])[] = [];
  const answer = { protocolVersion: 1, agentCapabilities: capabilities, authMethods } as const;
  const all: Handlers<'agent'> = { initialize: () => answer, 'session/new': () => ({ sessionId: 'one' }), ...handlers };
  const recorded = Object.fromEntries(
    Object.entries(all).map(([method, handler]) => [
      method,
      (params: never, context: never) => {
        if (method !== 'initialize') calls.push([method, params]);
        return (handler as (params: never, context: never) => unknown)(params, context);
      },
    ]),
  ) as unknown as Handlers<'agent'>;
  const theirs = connectAgent(far, recorded, { gates: false, checkOutgoing: false });
  const agent = await attachAgent(ours, options);
  const said = theirs.remote as InitializeRequest;
  return { agent, theirs, said, calls, [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose]() };
}

/** A message of the agent. */
export function said(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
}

/** The error of a rejected promise. */
export async function failure(promise: PromiseLike<unknown>): Promise<{ code: unknown; message: string }> {
  const outcome = await promise.then(
    () => new Error('it did not fail as it should'),
    (error: unknown) => error,
  );
  const { code, message } = outcome as { code?: unknown; message: string };
  return { code, message };
}

/** A promise that never settles. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
