import { tmpdir } from 'node:os';
import { defineAgent } from '@turnwire/agent';
import { GatewayLink, GatewaySession, type GatewaySessionParts, type SessionEvent } from '@turnwire/client/gateway';
import { emptyTranscript, reduceAll, type TranscriptView } from '@turnwire/client/transcript';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { words } from './gateway-client.ts';

const cwd = tmpdir();

/** Echoes each word of a prompt; waits for the test at `wait`, and requests a permission at `ask`. */
function steppingAgent(): { readonly gateway: Gateway; readonly step: () => void } {
  const steps: (() => void)[] = [];
  const definition = defineAgent({
    info: { name: 'stepping', version: '1.0.0' },
    prompt: async (turn) => {
      for (const word of turn.text.split(' ')) {
        if (word === 'wait') await new Promise<void>((resolve) => steps.push(resolve));
        else if (word === 'ask') await turn.askPermission(turn.tool({ title: 'Run a thing', kind: 'other' }));
        else await turn.say(word);
      }
    },
  });
  const gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  onTestFinished(() => gateway.close());
  return { gateway, step: () => steps.shift()?.() };
}

/** A client with one session. */
interface Client {
  readonly session: GatewaySession;
  /** The text of each update, or the type of any other event, in order. */
  readonly seen: readonly string[];
  readonly events: readonly SessionEvent[];
  /** Breaks the connection. */
  readonly cut: () => void;
  readonly link: GatewayLink;
}

async function client(gateway: Gateway, parts: Partial<GatewaySessionParts> = {}): Promise<Client> {
  let cut = (): void => undefined;
  const link = new GatewayLink({
    connect: () => {
      const [near, far] = memoryPair();
      gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
      cut = () => near.destroy();
      return near;
    },
    clientInfo: { name: 'test', version: '1' },
    onState: () => undefined,
    onSessions: () => undefined,
  });
  onTestFinished(() => link.close());
  const events: SessionEvent[] = [];
  const seen: string[] = [];
  const session = new GatewaySession({
    cwd,
    onEvents: (received) => {
      events.push(...received);
      seen.push(...received.map(shown));
    },
    ...parts,
  });
  void link.open(session);
  await expect.poll(() => session.phase).toBe('ready');
  return { session, seen, events, cut: () => cut(), link };
}

function shown(event: SessionEvent): string {
  if (event.type === 'prompt') return `> ${event.content.map((block) => ('text' in block ? block.text : '')).join()}`;
  if (event.type !== 'update') return event.type;
  const { update } = event;
  const isText = update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text';
  return isText ? update.content.text : update.sessionUpdate;
}

/** The turns as clients see them. */
function turnsIn({ seen }: Client): readonly string[] {
  return seen.filter((each) => each !== 'setup' && !each.endsWith('_update'));
}

test('two clients that send equal prompts each recognise their own', async () => {
  const { gateway, step } = steppingAgent();
  const one = await client(gateway);
  one.session.prompts.add(words('wait'));
  await expect.poll(() => turnsIn(one)).toEqual(['> wait']);
  const other = await client(gateway, { id: one.session.id, last: 100 });
  other.session.prompts.add(words('wait'));
  await expect.poll(() => one.session.prompts.queue.length).toBe(1);
  one.session.prompts.add(words('wait'));
  await expect.poll(() => one.session.prompts.queue.length).toBe(2);
  const [first, second] = one.session.prompts.queue.map(({ key }) => key);
  step();
  await expect.poll(() => turnsIn(one)).toEqual(['> wait', 'turn-ended', '> wait']);
  const keys = [one, other].map(({ session }) => session.prompts.list.map(({ key }) => key));
  const begun = one.events.flatMap((event) => (event.type === 'prompt' ? [event.key] : [])).at(-1);
  expect({ keys, begun, isNew: first !== second }).toEqual({ keys: [[second], []], begun: first, isNew: true });
});

test('a session continues after its last event when the connection breaks during a turn', async () => {
  const { gateway, step } = steppingAgent();
  const one = await client(gateway);
  one.session.prompts.add(words('before wait after'));
  await expect.poll(() => turnsIn(one)).toEqual(['> before wait after', 'before']);
  one.cut();
  await expect.poll(() => one.session.phase).toBe('detached');
  step();
  one.link.reconnectNow();
  await expect.poll(() => turnsIn(one)).toEqual(['> before wait after', 'before', 'after', 'turn-ended']);
});

test('a prompt whose connection breaks is sent again, and runs as one turn', async () => {
  const { gateway, step } = steppingAgent();
  const one = await client(gateway);
  one.session.prompts.add(words('wait'));
  await expect.poll(() => turnsIn(one)).toEqual(['> wait']);
  one.session.prompts.add(words('sent'));
  await expect.poll(() => one.session.prompts.queue.map(({ text }) => text)).toEqual(['sent']);
  one.session.prompts.add(words('lost'));
  one.cut();
  await expect.poll(() => one.session.phase).toBe('detached');
  one.session.prompts.add(words('offline'));
  step();
  one.link.reconnectNow();
  const turns = ['wait', 'sent', 'lost', 'offline'];
  const said = (text: string): readonly string[] => (text === 'wait' ? [] : [text]);
  const all = turns.flatMap((text) => [`> ${text}`, ...said(text), 'turn-ended']);
  await expect.poll(() => turnsIn(one)).toEqual(all);
  expect(one.session.prompts.list).toEqual([]);
});

test('a stored session opens at its end, and earlier events are read on request', async () => {
  const { gateway } = steppingAgent();
  const one = await client(gateway);
  one.session.prompts.add(words('one two three'));
  await expect.poll(() => turnsIn(one).at(-1)).toBe('turn-ended');
  const other = await client(gateway, { id: one.session.id, last: 1 });
  const atEnd = { seen: turnsIn(other), hasEarlier: other.session.hasEarlier };
  let view: TranscriptView = emptyTranscript();
  await other.session.readBack(1_000, (read) => (view = read.view));
  const entries = (each: TranscriptView): readonly unknown[] => [...each.entries].map(({ type }) => type);
  expect({ atEnd, hasEarlier: other.session.hasEarlier, entries: entries(view) }).toEqual({
    atEnd: { seen: ['turn-ended'], hasEarlier: true },
    hasEarlier: false,
    entries: entries(reduceAll(emptyTranscript(), one.events)),
  });
});

test('stopping removes a prompt that was sent just now, before the gateway has listed it', async () => {
  const { gateway } = steppingAgent();
  const { session, events } = await client(gateway);
  session.prompts.add(words('wait'));
  await expect.poll(() => events.some(({ type }) => type === 'prompt')).toBe(true);
  session.prompts.add(words('never'));
  const listed = session.prompts.queue;
  const removed = await session.prompts.stop();
  await expect.poll(() => events.at(-1)?.type).toBe('turn-ended');
  expect({ listed, removed, prompts: events.filter(({ type }) => type === 'prompt').length }).toEqual({
    listed: [],
    removed: [words('never')],
    prompts: 1,
  });
});

test('a permission request that one client answers is withdrawn from the others', async () => {
  const { gateway } = steppingAgent();
  const one = await client(gateway);
  const other = await client(gateway, { id: one.session.id });
  one.session.prompts.add(words('ask'));
  const open = (): readonly number[] => [one, other].map(({ session }) => session.questions.list.length);
  await expect.poll(open).toEqual([1, 1]);
  const [question] = other.session.questions.list;
  if (question?.type === 'permission') question.answer(question.request.options[0]);
  await expect.poll(() => turnsIn(one).at(-1)).toBe('turn-ended');
  expect(open()).toEqual([0, 0]);
});

test('an observer opens the session at its end, and is informed of its role', async () => {
  const { gateway } = steppingAgent();
  const one = await client(gateway);
  one.session.prompts.add(words('before'));
  await expect.poll(() => turnsIn(one).at(-1)).toBe('turn-ended');
  const watching = await client(gateway, { id: one.session.id, opening: { role: 'observe' } });
  one.session.prompts.add(words('after'));
  await expect.poll(() => turnsIn(watching)).toEqual(['> after', 'after', 'turn-ended']);
  expect(watching.session.role).toBe('observe');
});
