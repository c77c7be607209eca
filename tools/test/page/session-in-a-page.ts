// Runs in the page: a turn of the client with an agent in the same page, recorded and played back.
import { memoryStore, serveAgent } from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { emptyTranscript, reduce } from '@turnwire/client/transcript';
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
  await using connected = await attachAgent(client, { tap });
  let view = emptyTranscript();
  const at = 0;
  const opened = await connected.newSession({
    cwd: '/page',
    onUpdate: (update) => void (view = reduce(view, { at, type: 'update', update })),
  });
  const turn = { at, turnId: 'one' };
  view = reduce(view, { ...turn, type: 'prompt', content: [{ type: 'text', text: 'hello' }] });
  const { stopReason } = await opened.prompt('hello');
  view = reduce(view, { ...turn, type: 'turn-ended', stopReason });
  const shown = [...view.entries].map((entry) => ('content' in entry ? [entry.type, entry.content] : entry.type));
  return { stopReason, shown, replayed: await replayed(frames) };
}

/** The same agent again, from the trace. */
async function replayed(frames: readonly KnownFrame[]): Promise<unknown> {
  await using agent = await attachAgent(replayAgent(traceOf(frames)));
  const { id } = await agent.newSession({ cwd: '/page' });
  return { id, info: agent.info };
}

Object.assign(globalThis, { outcome: session() });
