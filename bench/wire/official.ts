import { Readable, Writable } from 'node:stream';
import {
  agent,
  type AgentApp,
  type AgentContext,
  client,
  type InitializeRequest,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type NewSessionResponse,
  type PromptResponse,
  type SessionNotification,
  type Stream,
} from '@agentclientprotocol/sdk';
import type { SessionUpdate } from '@turnwire/protocol';
import type { BenchClient, ByteStreams, Contender } from './contender.ts';
import {
  initializeRequest,
  initializeResponse,
  newSessionRequest,
  openSession,
  readPrompt,
  streamedAnswer,
} from './script.ts';
import { updatesOf } from './updates.ts';

/** Bytes of updates that are sent before they are awaited together, which is a little faster with the official SDK. */
const burstBytes = 64 * 1024;

function streamOver({ input, output }: ByteStreams): Stream {
  return ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
}

async function sendUpdates(
  peer: AgentContext,
  updates: readonly SessionNotification[],
  count: number,
): Promise<PromptResponse> {
  const burst = Math.max(1, Math.floor(burstBytes / JSON.stringify(updates[0]).length));
  for (let sent = 0; sent < count;) {
    const end = Math.min(count, sent + burst);
    const pending: Promise<void>[] = [];
    for (; sent < end; sent++)
      pending.push(peer.notify(methods.client.session.update, updates[sent % updates.length]!));
    await Promise.all(pending);
  }
  return streamedAnswer() as PromptResponse;
}

export function scriptedAgent(): AgentApp {
  return agent({ name: 'bench' })
    .onRequest(methods.agent.initialize, () => initializeResponse as InitializeResponse)
    .onRequest(methods.agent.session.new, ({ client: peer }) => ({
      sessionId: openSession((update) => peer.notify(methods.client.session.update, update as SessionNotification)),
    }))
    .onRequest(methods.agent.session.prompt, ({ params: { sessionId, prompt }, client: peer }) => {
      const stream = readPrompt((prompt[0] as { readonly text: string }).text);
      if (stream === undefined) return { stopReason: 'end_turn' };
      return sendUpdates(peer, updatesOf(stream.kind, sessionId) as readonly SessionNotification[], stream.count);
    });
}

export function connectOver(stream: Stream, onUpdate: Parameters<Contender['connect']>[1]): BenchClient {
  const { agent: peer } = client({ name: 'bench' })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update as SessionUpdate))
    .connect(stream);
  return {
    initialize: () => peer.request(methods.agent.initialize, initializeRequest as InitializeRequest),
    newSession: async () =>
      (await peer.request<NewSessionResponse>(methods.agent.session.new, newSessionRequest)).sessionId,
    prompt: (sessionId, text) =>
      peer.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
  };
}

export const official: Contender = {
  serve: (bytes) => void scriptedAgent().connect(streamOver(bytes)),
  connect: (bytes, onUpdate) => connectOver(streamOver(bytes), onUpdate),
  serveStdio: () => void scriptedAgent().connect(streamOver({ input: process.stdin, output: process.stdout })),
};
