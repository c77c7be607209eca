import { launchAgent } from '@turnwire/client/node';
import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { cancelUnderWay, collect, inSession, scripted, textOf } from './scripted.ts';

const reasonOf = (error: unknown): unknown => error;

test('a turn is iterated for its updates and awaited for its result', async () => {
  const seen = await inSession({}, async (session) => {
    const turn = session.prompt('say hello');
    const updates = await collect(turn);
    return { updates, result: await turn, again: await turn.result };
  });
  expect(seen).toEqual({
    updates: [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } }],
    result: { stopReason: 'end_turn' },
    again: { stopReason: 'end_turn' },
  });
});

test('updates sent before the answer to session/new reach the session', async () => {
  const agent = await launchAgent(scripted('early'));
  const updates: SessionUpdate[] = [];
  const session = await agent.newSession({ cwd: process.cwd(), onUpdate: (update) => void updates.push(update) });
  await session.prompt('say now');
  await agent.close();
  expect(textOf(updates)).toBe('before the answernow');
});

test('updates between turns reach only the listener', async () => {
  const agent = await launchAgent(scripted());
  const late = new Promise<SessionUpdate>((resolve) => {
    void agent.newSession({ cwd: process.cwd(), onUpdate: resolve }).then((session) => session.prompt('late'));
  });
  expect(textOf([await late])).toBe('too late');
  await agent.close();
});

test('a slow reader slows the agent down and loses nothing', async () => {
  const seen = await inSession({}, async (session) => {
    const turn = session.prompt('flood 2000');
    let count = 0;
    for await (const _ of turn) if (count++ % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    return { count, dropped: turn.dropped };
  });
  expect(seen).toEqual({ count: 2000, dropped: 0 });
});

test('a turn without a reader ends too', async () => {
  expect(await inSession({}, async (session) => session.prompt('flood 2000').result)).toEqual({
    stopReason: 'end_turn',
  });
});

test('a reader that stops early does not stop the turn', async () => {
  const result = await inSession({}, async (session) => {
    const turn = session.prompt('flood 2000');
    for await (const _ of turn) break;
    return turn;
  });
  expect(result).toEqual({ stopReason: 'end_turn' });
});

test('cancelling and awaiting a turn inside its loop does not hang, even in a flood', async () => {
  const result = await inSession({}, async (session) => {
    const turn = session.prompt('flood 5000');
    for await (const _ of turn) return turn.cancel();
    throw new Error('no update came');
  });
  expect(result.stopReason).toMatch(/end_turn|cancelled/);
});

test('a turn has one reader, which must start before the turn is awaited', async () => {
  await inSession({}, async (session) => {
    const read = session.prompt('say x');
    await collect(read);
    const awaited = session.prompt('say y');
    await awaited;
    expect(() => read[Symbol.asyncIterator]()).toThrow('were discarded');
    expect(() => awaited[Symbol.asyncIterator]()).toThrow('iterate a turn before you await it');
  });
});

test('an error from the agent reaches both the loop and the awaited result', async () => {
  const seen = await inSession({}, async (session) => {
    const turn = session.prompt('fail');
    return [await collect(turn).catch(reasonOf), await turn.result.catch(reasonOf)];
  });
  const error = expect.objectContaining({
    name: 'ProtocolError',
    code: -32603,
    message: 'the model is away',
    data: { details: 'no key' },
  });
  expect(seen).toEqual([error, error]);
});

test('the error for an agent that dies in a turn has its exit status and its last output', async () => {
  const error = expect.objectContaining({
    code: 'connection-closed',
    message: `The agent ${scripted().join(' ')} exited with code 7. It printed on stderr:\nfatal: out of memory`,
  });
  const seen = await inSession({}, async (session, agent) => {
    const turn = session.prompt('die');
    return {
      iterated: await collect(turn).catch(reasonOf),
      awaited: await turn.result.catch(reasonOf),
      end: await agent.closed,
    };
  });
  expect(seen).toEqual({
    iterated: error,
    awaited: error,
    end: { by: 'error', error, exit: { code: 7, signal: null }, stderr: 'fatal: out of memory\n' },
  });
});

test('a cancelled turn ends as cancelled', async () => {
  expect(await inSession({}, (session) => cancelUnderWay(session.prompt('hang')))).toEqual({ stopReason: 'cancelled' });
});

test('an agent that ignores a cancel is abandoned after the timeout', async () => {
  const error = await inSession({ timeouts: { cancel: 50 } }, (session) =>
    cancelUnderWay(session.prompt('deaf')).catch(reasonOf),
  );
  expect(error).toEqual(
    expect.objectContaining({
      code: 'timeout',
      message: 'The agent did not end the cancelled turn within 0.05 s; close the agent and start it again',
    }),
  );
});
