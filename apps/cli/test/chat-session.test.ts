import { tmpdir } from 'node:os';
import { serveAgent } from '@turnwire/agent';
import { attachAgent } from '@turnwire/client';
import { memoryStore, Sessions } from '@turnwire/runtime';
import { untilAborted } from '@turnwire/machine/waits';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { ChatSession } from '../src/sessions/chat-session.ts';

const cwd = tmpdir();
const text = (words: string) => [{ type: 'text', text: words } as const];

/** A session with an agent whose turns last until they are cancelled, unless they are to say something. */
function conversing() {
  const wires: { destroy(error: Error): void }[] = [];
  const sessions = new Sessions({
    store: memoryStore(),
    cwd,
    agents: {
      test: {
        start: (options) => {
          const [near, far] = memoryPair();
          wires.push(near);
          serveAgent(
            {
              info: { name: 'test', version: '1.0.0' },
              prompt: async (turn) => {
                if (turn.text === 'wait') await untilAborted(new Promise(() => undefined), turn.signal);
                else await turn.say(turn.text);
              },
            },
            { transport: far, log: () => undefined },
          );
          return attachAgent(near, options);
        },
      },
    },
  });
  const conversation = new ChatSession({
    begin: () =>
      sessions.create({
        ...{ tenant: 'local', agent: 'test', cwd, additionalDirectories: [], mcpServers: [] },
        startsLater: true,
      }),
    agentSessionId: undefined,
    limits: {},
    ask: () => Promise.resolve(undefined),
    elicitation: {},
    onStopped: () => undefined,
  });
  return {
    conversation,
    crash: () => wires.at(-1)?.destroy(new Error('it crashed')),
    [Symbol.asyncDispose]: () => sessions.close(),
  };
}

/** What a chat shows of it, in words. */
function shown({ state, queue, transcript }: ChatSession): object {
  const ends = [...transcript.entries].flatMap((entry) => (entry.type === 'turn-end' ? [entry.stopReason] : []));
  return { state: state.name, queue: queue.map(({ content }) => content), ends };
}

test('a prompt counts at once: it begins a turn of a ready agent, and waits behind another prompt', async () => {
  await using parts = conversing();
  const { conversation } = parts;
  await conversation.opened;
  await expect.poll(() => conversation.state.name).toBe('ready');
  conversation.prompt(text('wait'));
  const first = shown(conversation);
  conversation.prompt(text('one'));
  conversation.prompt(text('two'));
  const [waiting, last] = [shown(conversation), conversation.queue.at(-1)?.id ?? ''];
  const withdrawn = [conversation.withdraw(last), conversation.withdraw(last)];
  await expect.poll(() => conversation.transcript.turnId).toBeDefined();
  conversation.cancel();
  await expect.poll(() => shown(conversation)).toEqual({ state: 'ready', queue: [], ends: ['cancelled', 'end_turn'] });
  expect({ first, waiting, withdrawn }).toEqual({
    first: { state: 'working', queue: [], ends: [] },
    waiting: { state: 'working', queue: [text('one'), text('two')], ends: [] },
    withdrawn: [true, false],
  });
});

test('a prompt starts an agent that has ended', async () => {
  await using parts = conversing();
  const { conversation } = parts;
  await conversation.opened;
  parts.crash();
  await expect.poll(() => conversation.state.name).toBe('dead');
  conversation.prompt(text('one'));
  expect(shown(conversation)).toEqual({ state: 'starting', queue: [text('one')], ends: [] });
  await expect.poll(() => shown(conversation)).toEqual({ state: 'ready', queue: [], ends: ['end_turn'] });
});

test('a closed chat session reports its state, and takes no more prompts', async () => {
  await using parts = conversing();
  const { conversation } = parts;
  await conversation.opened;
  await conversation.close();
  conversation.prompt(text('one'));
  await expect.poll(() => shown(conversation)).toEqual({ state: 'closed', queue: [], ends: [] });
});
