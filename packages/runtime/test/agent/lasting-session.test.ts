import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import type { TranscriptEntry } from '@turnwire/client/transcript';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { type DrivenOptions, DrivenSession } from '../driven-session.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-session-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const agentPath = fileURLToPath(new URL('fixtures/forgetful-agent.mjs', import.meta.url));

/** A session with the forgetful agent, closed when the test is over. */
function open(offers: readonly string[], options: Partial<DrivenOptions> = {}): DrivenSession {
  const session = new DrivenSession({
    start: (signal) =>
      launchAgent([process.execPath, agentPath, folder, ...offers], {
        signal,
        timeouts: { cancel: within(1_000), exit: within(1_000) },
      }),
    cwd: folder,
    ...options,
  });
  onTestFinished(() => session.close());
  return session;
}

/** What a user would see: a line for each entry. */
function lines(session: DrivenSession): readonly string[] {
  return [...session.transcript.entries].map(line);
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

async function until(session: DrivenSession, isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const stop = session.onChange(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

const saidFirst = ['user: first', 'agent: first (1 known, calm)', '(end_turn)'];

describe('a session', () => {
  test('the transcript shows prompts, answers and the end of each turn', async () => {
    const session = open([]);
    await session.opened;
    expect(await session.prompt('first')).toEqual({ stopReason: 'end_turn' });
    expect({ state: session.state, lines: lines(session) }).toEqual({
      state: { name: 'ready' },
      lines: saidFirst,
    });
  });

  test('prompts are sent in order, and a waiting one can be withdrawn', async () => {
    const session = open([]);
    const [first, second, third] = ['one', 'two', 'three'].map((text) => session.prompt(text));
    expect(session.queue.map(({ content }) => content)).toEqual(
      ['one', 'two', 'three'].map((text) => [{ type: 'text', text }]),
    );
    expect(session.withdraw(session.queue[1]?.id ?? '')).toBe(true);
    expect(await Promise.all([first, second, third])).toEqual([
      { stopReason: 'end_turn' },
      { stopReason: 'cancelled' },
      { stopReason: 'end_turn' },
    ]);
    expect(lines(session)).toEqual([
      'user: one',
      'agent: one (1 known, calm)',
      '(end_turn)',
      'user: three',
      'agent: three (3 known, calm)',
      '(end_turn)',
    ]);
    expect(session.withdraw('1')).toBe(false);
  });

  test('after a cancelled turn the next one runs', async () => {
    const session = open([]);
    const turn = session.prompt('hang');
    const next = session.prompt('after');
    await until(session, () => lines(session).includes('agent: at work'));
    await session.cancel();
    expect([await turn, await next]).toEqual([{ stopReason: 'cancelled' }, { stopReason: 'end_turn' }]);
  });

  test('a closed session ends its agent and refuses prompts', async () => {
    const session = open([]);
    await session.opened;
    const agent = session.agent!;
    await session.close();
    await agent.closed;
    expect(session.state).toEqual({ name: 'closed' });
    await expect(session.prompt('first')).rejects.toMatchObject({ code: 'cancelled' });
    await expect(session.restart()).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('a session that is closed during its start leaves no agent', async () => {
    const session = open([]);
    const opened = session.opened.catch((error: unknown) => error);
    await session.close();
    expect(await opened).toMatchObject({ code: 'cancelled' });
    expect(session.agent).toBeUndefined();
  });
});

describe('when the agent dies', () => {
  test('when the agent dies, the turn fails with the reason, and the next prompt loads the session again', async () => {
    const session = open(['load']);
    await session.prompt('first');
    await expect(session.prompt('die')).rejects.toMatchObject({ code: 'connection-closed' });
    await until(session, () => session.state.name === 'dead');
    expect(session.state).toEqual({ name: 'dead', message: expect.stringContaining('out of memory') });
    await session.prompt('second');
    expect(lines(session)).toEqual([
      ...saidFirst,
      'user: die',
      '(failed)',
      '--- restarted',
      'user: second',
      'agent: second (4 known, calm)',
      '(end_turn)',
    ]);
  });

  test('after a restart an agent that can resume sessions resumes this one', async () => {
    const session = open(['resume']);
    await session.prompt('first');
    await session.restart();
    await session.prompt('second');
    expect(lines(session)).toEqual([
      ...saidFirst,
      '--- restarted',
      'user: second',
      'agent: second (3 known, calm)',
      '(end_turn)',
    ]);
  });

  test('after a lost session a new one begins behind a boundary', async () => {
    const session = open(['load', 'broken']);
    await session.prompt('first');
    await session.restart();
    await session.prompt('second');
    expect(lines(session)).toEqual([
      ...saidFirst,
      '--- context-lost',
      'user: second',
      'agent: second (1 known, calm)',
      '(end_turn)',
    ]);
    expect(session.transcript.knownFrom).toBe(3);
  });

  test('waiting prompts are sent after a restart', async () => {
    const session = open(['load']);
    const [dying, waiting] = [session.prompt('die'), session.prompt('waits')];
    await expect(dying).rejects.toMatchObject({ code: 'connection-closed' });
    await session.restart();
    expect(await waiting).toEqual({ stopReason: 'end_turn' });
  });

  test('a restarted agent gets the mode that the user chose', async () => {
    const session = open(['load']);
    await session.opened;
    await session.setMode('bold');
    expect(session.transcript.currentModeId).toBe('bold');
    await session.restart();
    await session.prompt('first');
    expect(lines(session)).toEqual(['--- restarted', 'user: first', 'agent: first (1 known, bold)', '(end_turn)']);
  });
});

test('an ignored cancel shows in the state, and the next prompt restarts the agent', async () => {
  const session = open(['load']);
  const turn = session.prompt('deaf');
  await until(session, () => lines(session).includes('agent: at work'));
  await expect(turn.cancel()).rejects.toMatchObject({ code: 'timeout' });
  expect(session.state).toEqual({ name: 'cancelling', since: expect.any(Number), isOverdue: true });
  expect(await session.prompt('after')).toEqual({ stopReason: 'end_turn' });
  expect(session.state).toEqual({ name: 'ready' });
});

test('a silent turn shows as silent until the next message of the agent', async () => {
  const session = open([], { silence: 50 });
  const turn = session.prompt('quiet');
  const states: unknown[] = [];
  session.onChange(() => {
    if (session.state.name === 'working') states.push(session.state.silentSince !== undefined);
  });
  await until(session, () => lines(session).includes('agent: still here'));
  const changes = states.filter((isSilent, index) => isSilent !== states[index - 1]);
  expect(changes.slice(0, 3)).toEqual([false, true, false]);
  await turn.cancel();
});

describe('a stored session', () => {
  async function stored(): Promise<string> {
    const session = open(['load']);
    await session.prompt('first');
    await session.close();
    return session.session!.id;
  }

  test('a stored session is loaded with its history', async () => {
    const session = open(['load'], { sessionId: await stored() });
    await session.opened;
    expect(lines(session)).toEqual(['user (replay): first', 'agent (replay): first', '--- loaded']);
  });

  test('a stored session is resumed if the agent cannot load it', async () => {
    const session = open(['resume'], { sessionId: await stored() });
    await session.opened;
    expect(lines(session)).toEqual(['--- resumed']);
  });

  test('a stored session that cannot be restored is an error, unless a new one may begin', async () => {
    const sessionId = await stored();
    const failing = open(['load', 'broken'], { sessionId });
    await expect(failing.opened).rejects.toThrow('There is no such session');
    expect(failing.state).toEqual({ name: 'dead', message: expect.stringContaining('There is no such session') });
    const anew = open(['load', 'broken'], { sessionId, setUpAt: 1 });
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

  test('session/load waits for its earliest time, and the state shows the wait', async () => {
    const session = open(['load', 'slow'], { loadNotBefore });
    await session.prompt('first');
    const waits: unknown[] = [];
    session.onChange(() => {
      const { state } = session;
      if (state.name === 'starting' && state.waiting) waits.push(state.waiting);
    });
    await session.restart();
    await session.prompt('second');
    expect(lines(session)).toEqual([
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

  test('the earliest time of session/load depends on the last set-up, which is now if it is unknown', async () => {
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

  test('does not keep a session from closing', async () => {
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
  test('a late replay of a known session is not shown again, not even in the next turn', async () => {
    const session = open(['load', 'late'], { replaysLate: true });
    await session.prompt('first');
    await session.restart();
    await session.prompt('second');
    expect(lines(session)).toEqual([
      ...saidFirst,
      '--- restarted',
      'user: second',
      'agent: second (3 known, calm)',
      '(end_turn)',
    ]);
  });

  test('a late replay of an unknown session is shown before the session is ready', async () => {
    const first = open(['load']);
    await first.prompt('first');
    const session = open(['load', 'late'], { replaysLate: true, sessionId: first.session!.id });
    await session.opened;
    expect(lines(session)).toEqual(['user (replay): first', 'agent (replay): first', '--- loaded']);
  });
});

test('a chosen mode is set at the start and after a restart', async () => {
  const session = open(['load'], { modeId: 'bold' });
  await session.prompt('first');
  await session.restart();
  await session.prompt('second');
  expect(lines(session).filter((each) => each.startsWith('agent'))).toEqual([
    'agent: first (1 known, bold)',
    'agent: second (3 known, bold)',
  ]);
});

test('the state contains the details of an agent’s error', async () => {
  const session = open([]);
  await expect(session.prompt('fail')).rejects.toThrow('Internal error');
  expect([...session.transcript.entries].at(-1)).toMatchObject({
    type: 'turn-end',
    error: 'Internal error (no credit left)',
  });
});

test('an agent that needs a login waits for it', async () => {
  const session = open(['login']);
  await expect(session.opened).rejects.toThrow('Log in first');
  expect(session.state).toEqual({ name: 'login-needed', message: expect.stringContaining('Log in first') });
  const turn = session.prompt('first');
  await session.authenticate('key');
  expect({ result: await turn, isLoggedIn: existsSync(join(folder, 'login')) }).toEqual({
    result: { stopReason: 'end_turn' },
    isLoggedIn: true,
  });
});

test('an agent that cannot be started is dead, with the reason', async () => {
  const session = new DrivenSession({ start: () => launchAgent('no-such-agent-anywhere'), cwd: folder });
  onTestFinished(() => session.close());
  await expect(session.opened).rejects.toMatchObject({ code: 'launch-failed' });
  expect(session.state).toEqual({ name: 'dead', message: expect.stringContaining('no-such-agent-anywhere') });
  await expect(session.prompt('first')).rejects.toMatchObject({ code: 'launch-failed' });
});

test('an agent that ends during its start is retried as often as configured', async () => {
  const waits: number[] = [];
  let starts = 0;
  const session = open([], {
    start: (signal) => {
      const words = ++starts < 3 ? [process.execPath, '-e', ''] : [process.execPath, agentPath, folder];
      return launchAgent(words, { signal });
    },
    retry: { attempts: 5, jitter: 0, sleep: async (milliseconds) => void waits.push(milliseconds) },
  });
  await session.opened;
  expect({ waits, lines: lines(session) }).toEqual({
    waits: [1000, 2000],
    lines: ['! The agent did not start; trying again in 1 s', '! The agent did not start; trying again in 2 s'],
  });
});
