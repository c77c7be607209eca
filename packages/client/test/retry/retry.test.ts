import { launchAgent } from '@turnwire/client/node';
import { conditionOf, isRepeatable, type Retry, type RetryOptions, withRetry } from '@turnwire/client/retry';
import { TurnwireError, goReference, lenient, pharo, ProtocolError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { failure, pair } from '../agent/agent-pair.ts';
import { scripted } from '../scripted.ts';

const closed = new TurnwireError('connection-closed', 'gone');
const lost = new ProtocolError(-32002, 'no such session', { sessionId: 'one' });

/** Runs an operation that first fails with these errors, without real waits. */
async function tried(
  errors: readonly Error[],
  options: Partial<RetryOptions> = {},
): Promise<{ outcome: unknown; calls: number; delays: readonly number[] }> {
  const left = [...errors];
  const delays: number[] = [];
  let calls = 0;
  const operation = async (): Promise<string> => {
    calls++;
    const error = left.shift();
    if (error) throw error;
    return 'done';
  };
  const sleep = async (milliseconds: number): Promise<void> => void delays.push(milliseconds);
  const outcome = await withRetry(operation, { method: 'session/list', jitter: 0, sleep, ...options }).catch(
    (error: unknown) => error,
  );
  return { outcome, calls, delays };
}

test('a transient failure is tried five times, 1, 2, 4 and 8 seconds apart', async () => {
  expect(await tried(Array(9).fill(closed))).toEqual({ outcome: closed, calls: 5, delays: [1000, 2000, 4000, 8000] });
});

test('the first success ends the attempts', async () => {
  const timeout = new TurnwireError('timeout', 'late');
  expect(await tried([timeout, lost])).toEqual({ outcome: 'done', calls: 3, delays: [1000, 2000] });
});

test('a permanent failure is never tried again', async () => {
  const hopeless = [-32700, -32600, -32601, -32602, -32603, -32000, -32800, -32002, -1].map(
    (code) => new ProtocolError(code, 'no'),
  );
  const ours = (['cancelled', 'not-advertised', 'invalid-message', 'invalid-response', 'launch-failed'] as const).map(
    (code) => new TurnwireError(code, 'no'),
  );
  const all = [...hopeless, ...ours, new Error('no')];
  expect(await Promise.all(all.map((error) => tried([error])))).toEqual(
    all.map((outcome) => ({ outcome, calls: 1, delays: [] })),
  );
});

test('a call that must not run twice is repeated only on demand', async () => {
  const prompt = { method: 'session/prompt' } as const;
  expect([
    (await tried([closed], prompt)).calls,
    (await tried([closed], { method: 'session/new' })).calls,
    (await tried([closed], { ...prompt, mayRepeat: true })).calls,
    isRepeatable('session/prompt'),
    isRepeatable('session/load'),
  ]).toEqual([1, 1, 2, false, true]);
});

test('only the requested conditions are tried again', async () => {
  const { calls } = await tried([closed, lost], { conditions: ['connection-closed'] });
  expect(calls).toBe(2);
});

test('jitter shortens the waits', async () => {
  expect((await tried([closed, closed], { jitter: 0.5, random: () => 1 })).delays).toEqual([500, 1000]);
});

test('a repair runs before the next attempt, and a failed repair is a failed attempt', async () => {
  const repaired: string[] = [];
  const recover = async (condition: string): Promise<void> => {
    if (repaired.push(condition) === 1) throw closed;
  };
  const retries: Retry[] = [];
  const { outcome, calls } = await tried([lost], { recover, onRetry: (retry) => void retries.push(retry) });
  expect({ outcome, calls, repaired, retries }).toEqual({
    outcome: 'done',
    calls: 2,
    repaired: ['session-lost', 'connection-closed'],
    retries: [
      { attempt: 2, condition: 'session-lost', error: lost, delay: 1000 },
      { attempt: 3, condition: 'connection-closed', error: closed, delay: 2000 },
    ],
  });
});

test('waiting can be cancelled', async () => {
  const controller = new AbortController();
  const waiting = withRetry(() => Promise.reject(closed), {
    method: 'session/list',
    signal: controller.signal,
    onRetry: () => setImmediate(() => controller.abort()),
  });
  const already = withRetry(() => Promise.reject(closed), { method: 'session/list', signal: controller.signal });
  const cancelled = { code: 'cancelled', message: 'The retry was cancelled' };
  expect([await failure(waiting), await failure(already)]).toEqual([cancelled, cancelled]);
});

test('an error code means what the agent that sent it means', () => {
  const codes = [-32000, -32001, -32002, -32003, -32005, -32603];
  const meanings = [lenient, goReference, pharo].map((dialect) =>
    codes.map((code) => conditionOf(new ProtocolError(code, 'no', { sessionId: 's' }), dialect)),
  );
  expect(meanings).toEqual([
    ['login-needed', 'other', 'session-lost', 'other', 'other', 'internal'],
    ['connection-closed', 'timeout', 'refused', 'session-lost', 'other', 'internal'],
    ['login-needed', 'login-needed', 'session-lost', 'session-lost', 'session-lost', 'internal'],
  ]);
});

test('an error that the connection has already translated means the same, with the dialect or without', async () => {
  const answers = [-32000, -32001, -32002, -32003];
  await using connected = await pair({
    peer: { dialect: goReference },
    capabilities: { sessionCapabilities: { delete: {} } },
    handlers: {
      'session/delete': ({ sessionId }) => {
        throw new ProtocolError(Number(sessionId), 'no');
      },
    },
  });
  const errors = await Promise.all(
    answers.map((code) =>
      (connected.agent.deleteSession?.(String(code)) ?? Promise.resolve()).catch((error: unknown) => error),
    ),
  );
  const meanings = ['connection-closed', 'timeout', 'refused', 'session-lost'];
  expect([errors.map((error) => conditionOf(error)), errors.map((error) => conditionOf(error, goReference))]).toEqual([
    meanings,
    meanings,
  ]);
});

test('an agent that exits at once is restarted with the same number of attempts', async () => {
  let starts = 0;
  const start = async (): Promise<string | undefined> => {
    const agent = await launchAgent(++starts < 3 ? scripted('die-at-once') : scripted());
    await agent.close();
    return agent.info?.name;
  };
  const name = await withRetry(start, { method: 'initialize', sleep: () => Promise.resolve() });
  expect([name, starts]).toEqual(['scripted', 3]);
});
