import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import { type Conversation, type ConversationOptions, openConversation } from '@turnwire/client/extensions';
import type { TranscriptEntry } from '@turnwire/client/transcript';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-conversation-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const agentPath = fileURLToPath(new URL('fixtures/forgetful-agent.mjs', import.meta.url));

/** A conversation with the forgetful agent, closed when the test is over. */
function open(offers: readonly string[], options: Partial<ConversationOptions> = {}): Conversation {
  const conversation = openConversation({
    start: (signal) =>
      launchAgent([process.execPath, agentPath, folder, ...offers], { signal, timeouts: { cancel: 200, exit: 200 } }),
    cwd: folder,
    ...options,
  });
  onTestFinished(() => conversation.close());
  return conversation;
}

/** What a user would see: a line for each entry. */
function lines(conversation: Conversation): readonly string[] {
  return [...conversation.transcript.entries].map(line);
}

function line(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'user':
    case 'agent':
      return `${entry.type}${entry.isReplay ? ' (replay)' : ''}: ${entry.content.map((block) => ('text' in block ? block.text : block.type)).join('')}`;
    case 'boundary':
      return `--- ${entry.reason}`;
    case 'turn-end':
      return entry.error === undefined ? `(${entry.stopReason})` : `(failed)`;
    case 'notice':
      return `! ${entry.title}`;
    default:
      return entry.type;
  }
}

async function until(conversation: Conversation, isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const stop = conversation.onChange(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

const saidFirst = ['user: first', 'agent: first (1 known, calm)', '(end_turn)'];

describe('a conversation', () => {
  test('shows what was asked, answered and how each turn ended', async () => {
    const conversation = open([]);
    await conversation.opened;
    expect(await conversation.prompt('first')).toEqual({ stopReason: 'end_turn' });
    expect({ state: conversation.state, lines: lines(conversation) }).toEqual({
      state: { name: 'ready' },
      lines: saidFirst,
    });
  });

  test('sends prompts in their order, and takes back what was not sent', async () => {
    const conversation = open([]);
    const [first, second, third] = ['one', 'two', 'three'].map((text) => conversation.prompt(text));
    expect(conversation.queue.map(({ content }) => content)).toEqual(
      ['one', 'two', 'three'].map((text) => [{ type: 'text', text }]),
    );
    expect(conversation.withdraw(conversation.queue[1]?.id ?? '')).toBe(true);
    expect(await Promise.all([first, second, third])).toEqual([
      { stopReason: 'end_turn' },
      { stopReason: 'cancelled' },
      { stopReason: 'end_turn' },
    ]);
    expect(lines(conversation)).toEqual([
      'user: one',
      'agent: one (1 known, calm)',
      '(end_turn)',
      'user: three',
      'agent: three (3 known, calm)',
      '(end_turn)',
    ]);
    expect(conversation.withdraw('1')).toBe(false);
  });

  test('cancels the running turn and continues with the next', async () => {
    const conversation = open([]);
    const turn = conversation.prompt('hang');
    const next = conversation.prompt('after');
    await until(conversation, () => lines(conversation).includes('agent: at work'));
    await conversation.cancel();
    expect([await turn, await next]).toEqual([{ stopReason: 'cancelled' }, { stopReason: 'end_turn' }]);
  });

  test('a closed one ends its agent and takes no prompts', async () => {
    const conversation = open([]);
    await conversation.opened;
    const agent = conversation.agent!;
    await conversation.close();
    await agent.closed;
    expect(conversation.state).toEqual({ name: 'closed' });
    await expect(conversation.prompt('first')).rejects.toMatchObject({ code: 'cancelled' });
    await expect(conversation.restart()).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('one closed while it starts leaves no agent behind', async () => {
    const conversation = open([]);
    const opened = conversation.opened.catch((error: unknown) => error);
    await conversation.close();
    expect(await opened).toMatchObject({ code: 'cancelled' });
    expect(conversation.agent).toBeUndefined();
  });
});

describe('when the agent dies', () => {
  test('the turn fails, the state says why, and the next prompt continues where the agent can load', async () => {
    const conversation = open(['load']);
    await conversation.prompt('first');
    await expect(conversation.prompt('die')).rejects.toMatchObject({ code: 'connection-closed' });
    await until(conversation, () => conversation.state.name === 'dead');
    expect(conversation.state).toEqual({ name: 'dead', message: expect.stringContaining('out of memory') });
    await conversation.prompt('second');
    expect(lines(conversation)).toEqual([
      ...saidFirst,
      'user: die',
      '(failed)',
      '--- restarted',
      'user: second',
      'agent: second (4 known, calm)',
      '(end_turn)',
    ]);
  });

  test('a session that can be resumed is resumed', async () => {
    const conversation = open(['resume']);
    await conversation.prompt('first');
    await conversation.restart();
    await conversation.prompt('second');
    expect(lines(conversation)).toEqual([
      ...saidFirst,
      '--- restarted',
      'user: second',
      'agent: second (3 known, calm)',
      '(end_turn)',
    ]);
  });

  test('a session that is lost begins anew behind a boundary, never silently', async () => {
    const conversation = open(['load', 'broken']);
    await conversation.prompt('first');
    await conversation.restart();
    await conversation.prompt('second');
    expect(lines(conversation)).toEqual([
      ...saidFirst,
      '--- context-lost',
      'user: second',
      'agent: second (1 known, calm)',
      '(end_turn)',
    ]);
    expect(conversation.transcript.knownFrom).toBe(3);
  });

  test('prompts that waited are sent after the restart', async () => {
    const conversation = open(['load']);
    const [dying, waiting] = [conversation.prompt('die'), conversation.prompt('waits')];
    await expect(dying).rejects.toMatchObject({ code: 'connection-closed' });
    await conversation.restart();
    expect(await waiting).toEqual({ stopReason: 'end_turn' });
  });

  test('the mode a user chose is chosen again', async () => {
    const conversation = open(['load']);
    await conversation.opened;
    await conversation.setMode('bold');
    expect(conversation.transcript.currentModeId).toBe('bold');
    await conversation.restart();
    await conversation.prompt('first');
    expect(lines(conversation)).toEqual(['--- restarted', 'user: first', 'agent: first (1 known, bold)', '(end_turn)']);
  });
});

test('a cancel that is not honoured is a state, and the next prompt starts the agent again', async () => {
  const conversation = open(['load']);
  const turn = conversation.prompt('deaf');
  await until(conversation, () => lines(conversation).includes('agent: at work'));
  await expect(turn.cancel()).rejects.toMatchObject({ code: 'timeout' });
  expect(conversation.state).toEqual({ name: 'cancelling', since: expect.any(Number), isOverdue: true });
  expect(await conversation.prompt('after')).toEqual({ stopReason: 'end_turn' });
  expect(conversation.state).toEqual({ name: 'ready' });
});

test('a silent turn is shown as silent until the agent is heard again', async () => {
  const conversation = open([], { silence: 50 });
  const turn = conversation.prompt('quiet');
  const states: unknown[] = [];
  conversation.onChange(() => {
    if (conversation.state.name === 'working') states.push(conversation.state.silentSince !== undefined);
  });
  await until(conversation, () => lines(conversation).includes('agent: still here'));
  const changes = states.filter((isSilent, index) => isSilent !== states[index - 1]);
  expect(changes.slice(0, 3)).toEqual([false, true, false]);
  await turn.cancel();
});

describe('a stored session', () => {
  async function stored(): Promise<string> {
    const conversation = open(['load']);
    await conversation.prompt('first');
    await conversation.close();
    return conversation.session!.id;
  }

  test('is loaded with its history', async () => {
    const conversation = open(['load'], { sessionId: await stored() });
    await conversation.opened;
    expect(lines(conversation)).toEqual(['user (replay): first', 'agent (replay): first', '--- loaded']);
  });

  test('is resumed where it cannot be loaded', async () => {
    const conversation = open(['resume'], { sessionId: await stored() });
    await conversation.opened;
    expect(lines(conversation)).toEqual(['--- resumed']);
  });

  test('that cannot be brought back is an error, unless a new one will do', async () => {
    const sessionId = await stored();
    const failing = open(['load', 'broken'], { sessionId });
    await expect(failing.opened).rejects.toThrow('There is no such session');
    expect(failing.state).toEqual({ name: 'dead', message: expect.stringContaining('There is no such session') });
    const anew = open(['load', 'broken'], { sessionId, ifLost: 'begin-anew' });
    await anew.opened;
    expect(lines(anew)).toEqual(['--- context-lost']);
    expect([...anew.transcript.entries][0]).toMatchObject({
      message:
        'The session could not be restored: There is no such session (the disk is gone). The agent does not know the earlier conversation.',
    });
  });
});

describe('an agent that loses a session that is loaded too soon', () => {
  /** Waits in any case, so that the wait is seen. */
  const loadNotBefore = (setUpAt: number): number => Math.max(setUpAt + 1_000, Date.now() + 300);

  test('is not asked too soon, and the wait is seen', async () => {
    const conversation = open(['load', 'slow'], { loadNotBefore });
    await conversation.prompt('first');
    const waits: unknown[] = [];
    conversation.onChange(() => {
      const { state } = conversation;
      if (state.name === 'starting' && state.waiting) waits.push(state.waiting);
    });
    await conversation.restart();
    await conversation.prompt('second');
    expect(lines(conversation)).toEqual([
      ...saidFirst,
      expect.stringMatching(/^! Waiting [12] s before the session is loaded$/),
      '--- restarted',
      'user: second',
      'agent: second (3 known, calm)',
      '(end_turn)',
    ]);
    expect(waits[0]).toEqual({
      until: expect.any(Number),
      reason: expect.stringMatching(/^Waiting [12] s before the session is loaded$/),
    });
  });

  test('is asked by when the stored session was set up, or as if that were now', async () => {
    const given: number[] = [];
    const heard = (setUpAt: number): number => given.push(setUpAt);
    const first = open(['load']);
    await first.opened;
    const sessionId = first.session!.id;
    await open(['load'], { sessionId, setUpAt: 1_000, loadNotBefore: heard }).opened;
    const before = Date.now();
    await open(['load'], { sessionId, loadNotBefore: heard }).opened;
    expect([given[0], given[1]! >= before]).toEqual([1_000, true]);
  });

  test('does not keep a conversation from closing', async () => {
    const first = open(['load']);
    await first.opened;
    const waiting = open(['load'], { sessionId: first.session!.id, loadNotBefore: () => Date.now() + 3_600_000 });
    const opened = waiting.opened.catch((error: unknown) => error);
    await until(waiting, () => waiting.state.name === 'starting' && waiting.state.waiting !== undefined);
    await waiting.close();
    expect([await opened, waiting.state]).toEqual([expect.objectContaining({ code: 'cancelled' }), { name: 'closed' }]);
  });
});

describe('an agent that replays after it has answered', () => {
  test('does not say twice what was seen before, nor in the next turn', async () => {
    const conversation = open(['load', 'late'], { replaysLate: true });
    await conversation.prompt('first');
    await conversation.restart();
    const turn = conversation.prompt('second');
    const updates = [];
    for await (const update of turn) updates.push(update.sessionUpdate);
    expect([updates, lines(conversation)]).toEqual([
      ['agent_message_chunk'],
      [...saidFirst, '--- restarted', 'user: second', 'agent: second (3 known, calm)', '(end_turn)'],
    ]);
  });

  test('tells the history of a stored session before it is ready', async () => {
    const first = open(['load']);
    await first.prompt('first');
    const conversation = open(['load', 'late'], { replaysLate: true, sessionId: first.session!.id });
    await conversation.opened;
    expect(lines(conversation)).toEqual(['user (replay): first', 'agent (replay): first', '--- loaded']);
  });
});

test('the mode that was asked for is set at the start and after a restart', async () => {
  const conversation = open(['load'], { modeId: 'bold' });
  await conversation.prompt('first');
  await conversation.restart();
  await conversation.prompt('second');
  expect(lines(conversation).filter((each) => each.startsWith('agent'))).toEqual([
    'agent: first (1 known, bold)',
    'agent: second (3 known, bold)',
  ]);
});

test('the reason an agent gives beside its message is told', async () => {
  const conversation = open([]);
  await expect(conversation.prompt('fail')).rejects.toThrow('Internal error');
  expect([...conversation.transcript.entries].at(-1)).toMatchObject({
    type: 'turn-end',
    error: 'Internal error (no credit left)',
  });
});

test('an agent that wants a login waits for it', async () => {
  const conversation = open(['login']);
  await expect(conversation.opened).rejects.toThrow('Log in first');
  expect(conversation.state).toEqual({ name: 'login-needed', message: expect.stringContaining('Log in first') });
  const turn = conversation.prompt('first');
  await conversation.authenticate('key');
  expect({ result: await turn, isLoggedIn: existsSync(join(folder, 'login')) }).toEqual({
    result: { stopReason: 'end_turn' },
    isLoggedIn: true,
  });
});

test('an agent that cannot be started is dead, and says why', async () => {
  const conversation = openConversation({ start: () => launchAgent('no-such-agent-anywhere'), cwd: folder });
  onTestFinished(() => conversation.close());
  await expect(conversation.opened).rejects.toMatchObject({ code: 'launch-failed' });
  expect(conversation.state).toEqual({ name: 'dead', message: expect.stringContaining('no-such-agent-anywhere') });
  await expect(conversation.prompt('first')).rejects.toMatchObject({ code: 'launch-failed' });
});

test('an agent that ends while it starts is tried again as often as was asked for', async () => {
  const waits: number[] = [];
  let starts = 0;
  const conversation = open([], {
    start: (signal) => {
      const words = ++starts < 3 ? [process.execPath, '-e', ''] : [process.execPath, agentPath, folder];
      return launchAgent(words, { signal });
    },
    retry: { attempts: 5, jitter: 0, sleep: async (milliseconds) => void waits.push(milliseconds) },
  });
  await conversation.opened;
  expect({ waits, lines: lines(conversation) }).toEqual({
    waits: [1000, 2000],
    lines: ['! The agent did not start; trying again in 1 s', '! The agent did not start; trying again in 2 s'],
  });
});
