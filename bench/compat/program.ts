import { Readable, Writable } from 'node:stream';
import type { SessionUpdate } from '@turnwire/protocol';
import type * as sdkCompat from '@turnwire/sdk-compat';
import type { ByteStreams, Contender } from '../wire/contender.ts';
import {
  initializeRequest,
  initializeResponse,
  newSessionRequest,
  openSession,
  readPrompt,
  streamedAnswer,
} from '../wire/script.ts';
import { updatesOf } from '../wire/updates.ts';

/** Either package: the program below uses only the names that both have. */
export type Sdk = typeof sdkCompat;

/** The scripted agent and its client as programs in the field write them. Every update is awaited. */
export function programOn({ agent, client, methods, ndJsonStream }: Sdk): Contender {
  const streamOver = ({ input, output }: ByteStreams): sdkCompat.Stream =>
    ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
  const serve = (bytes: ByteStreams): void => {
    agent({ name: 'bench' })
      .onRequest(methods.agent.initialize, () => initializeResponse as sdkCompat.InitializeResponse)
      .onRequest(methods.agent.session.new, () => ({ sessionId: openSession(() => undefined) }))
      .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client: peer }) => {
        const stream = readPrompt((prompt[0] as { readonly text: string }).text);
        if (stream === undefined) return { stopReason: 'end_turn' };
        const updates = updatesOf(stream.kind, sessionId) as readonly sdkCompat.SessionNotification[];
        for (let sent = 0; sent < stream.count; sent++)
          await peer.notify(methods.client.session.update, updates[sent % updates.length]!);
        return streamedAnswer() as sdkCompat.PromptResponse;
      })
      .connect(streamOver(bytes));
  };
  return {
    serve,
    serveStdio: () => serve({ input: process.stdin, output: process.stdout }),
    connect: (bytes, onUpdate) => {
      const { agent: peer } = client({ name: 'bench' })
        .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update as SessionUpdate))
        .connect(streamOver(bytes));
      return {
        initialize: () => peer.request(methods.agent.initialize, initializeRequest as sdkCompat.InitializeRequest),
        newSession: async () =>
          (await peer.request<sdkCompat.NewSessionResponse>(methods.agent.session.new, newSessionRequest)).sessionId,
        prompt: (sessionId, text) =>
          peer.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
      };
    },
  };
}
