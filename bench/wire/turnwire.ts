import type { Peer, PromptRequest, PromptResponse, SessionNotification, Transport } from '@turnwire/protocol';
import { connectAgent, connectClient } from '@turnwire/protocol';
import { serveStdio, stdioTransport } from '@turnwire/transports/stdio';
import type { BenchClient, Contender } from './contender.ts';
import {
  initializeRequest,
  initializeResponse,
  newSessionRequest,
  openSession,
  readPrompt,
  streamedAnswer,
} from './script.ts';
import { updatesOf } from './updates.ts';

/* Every option is left at its default: both directions are checked, gates are on. */

function prompt(
  { sessionId, prompt: [block] }: PromptRequest,
  peer: Peer<'agent'>,
): PromptResponse | Promise<PromptResponse> {
  const stream = readPrompt((block as { readonly text: string }).text);
  return stream === undefined
    ? { stopReason: 'end_turn' }
    : sendUpdates(peer, updatesOf(stream.kind, sessionId), stream.count);
}

/** Awaits each update, as the documentation recommends. */
async function sendUpdates(
  peer: Peer<'agent'>,
  updates: readonly SessionNotification[],
  count: number,
): Promise<PromptResponse> {
  for (let sent = 0; sent < count; sent++) await peer.notify('session/update', updates[sent % updates.length]!);
  return streamedAnswer();
}

export function serveOver(transport: Transport): void {
  connectAgent(transport, {
    initialize: () => initializeResponse,
    'session/new': (_params, { peer }) => ({
      sessionId: openSession((update) => peer.notify('session/update', update)),
    }),
    'session/prompt': (params, { peer }) => prompt(params, peer),
  });
}

export function connectOver(transport: Transport, onUpdate: Parameters<Contender['connect']>[1]): BenchClient {
  const agent = connectClient(transport, {
    'session/update': ({ update }) => onUpdate(update),
  });
  return {
    initialize: () => agent.request('initialize', initializeRequest),
    newSession: async () => (await agent.request('session/new', newSessionRequest)).sessionId,
    prompt: (sessionId, text) => agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
  };
}

export const turnwire: Contender = {
  serve: (bytes) => serveOver(stdioTransport(bytes)),
  serveStdio: () => serveOver(serveStdio()),
  connect: (bytes, onUpdate) => connectOver(stdioTransport({ ...bytes, noise: 'report' }), onUpdate),
};
