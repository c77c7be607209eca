import { lenientAgent, lenientClient } from '../dialects/index.ts';
import type { Edition, EditionTypes } from '../edition.ts';
import type { Transport } from '../transport.ts';
import { Connection } from './connection.ts';
import type { Handlers, Peer, PeerOptions } from './peer-types.ts';

/**
 * Makes the agent's end of a connection and starts to listen.
 *
 * @example
 * connectAgent(transport, {
 *   initialize: ({ protocolVersion }) => ({ protocolVersion: negotiateVersion(protocolVersion) }),
 *   'session/new': () => ({ sessionId: crypto.randomUUID() }),
 *   'session/prompt': async ({ sessionId }, { peer }) => {
 *     await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } } });
 *     return { stopReason: 'end_turn' };
 *   },
 * });
 */
export function connectAgent<E extends EditionTypes>(
  transport: Transport,
  handlers: Handlers<'agent', E>,
  options: PeerOptions<E> & { readonly edition: Edition<E> },
): Peer<'agent', E>;
export function connectAgent(transport: Transport, handlers: Handlers<'agent'>, options?: PeerOptions): Peer<'agent'>;
export function connectAgent(transport: Transport, handlers: object, options: PeerOptions<EditionTypes> = {}): unknown {
  return new Connection('agent', transport, { handlers, options, dialect: options.dialect ?? lenientAgent });
}

/**
 * Makes the client's end of a connection and starts to listen. `initialize` comes first: other calls are refused until it is answered.
 *
 * @example
 * const agent = connectClient(transport, { 'session/update': ({ update }) => console.log(update) });
 * await agent.request('initialize', { protocolVersion, clientInfo: { name: 'example', version: '1.0.0' } });
 * const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
 * await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hello' }] });
 */
export function connectClient<E extends EditionTypes>(
  transport: Transport,
  handlers: Handlers<'client', E>,
  options: PeerOptions<E> & { readonly edition: Edition<E> },
): Peer<'client', E>;
export function connectClient(
  transport: Transport,
  handlers: Handlers<'client'>,
  options?: PeerOptions,
): Peer<'client'>;
export function connectClient(
  transport: Transport,
  handlers: object,
  options: PeerOptions<EditionTypes> = {},
): unknown {
  return new Connection('client', transport, { handlers, options, dialect: options.dialect ?? lenientClient });
}
