// Runs in the page: a conversation of the client with an agent in the same page, recorded and played back.
import { memoryStore, serveAgent } from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { openConversation } from '@turnwire/client/extensions';
import { replayAgent, traceOf } from '@turnwire/trace';
import type { KnownFrame } from '@turnwire/trace';
import { memoryPair } from '@turnwire/transports/memory';

async function session(): Promise<unknown> {
  const [client, agent] = memoryPair();
  serveAgent(
    {
      info: { name: 'page', version: '1.0.0' },
      sessionId: () => 'one',
      store: memoryStore(),
      prompt: async (turn) => {
        await turn.say(turn.text);
        await turn.files.read('notes.txt').catch((error: unknown) => turn.say((error as Error).name));
      },
    },
    { transport: agent },
  );
  const frames: KnownFrame[] = [];
  const tap = (direction: 'in' | 'out', text: string): void => void frames.push({ at: frames.length, direction, text });
  const conversation = openConversation({ start: (signal) => attachAgent(client, { signal, tap }), cwd: '/page' });
  const { stopReason } = await conversation.prompt('hello');
  const shown = [...conversation.transcript.entries].map((entry) =>
    'content' in entry ? [entry.type, entry.content] : entry.type,
  );
  await conversation.close();
  return { stopReason, shown, replayed: await replayed(frames) };
}

/** The same agent once more, from the trace. */
async function replayed(frames: readonly KnownFrame[]): Promise<unknown> {
  await using agent = await attachAgent(replayAgent(traceOf(frames)));
  const { id } = await agent.newSession({ cwd: '/page' });
  return { id, info: agent.info };
}

Object.assign(globalThis, { outcome: session() });
