import { PassThrough } from 'node:stream';
import { type Agent, attachAgent, type MessageLoss } from '@turnwire/client';
import { connectAgent, type Handlers, type Peer, type SessionUpdate } from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import { expect, onTestFinished, test } from 'vitest';

const longest = 2_000;
const long = 'x'.repeat(longest);
const sessionId = 's';
const said = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

type Answer = (text: string, peer: Peer<'agent'>) => Promise<object | void>;

/** An agent at the other end of two pipes that may send messages of any length. The client's messages are limited. */
async function connected(answer: Answer): Promise<{ readonly agent: Agent; readonly peer: Peer<'agent'> }> {
  const [toAgent, toClient] = [new PassThrough(), new PassThrough()];
  const handlers: Handlers<'agent'> = {
    initialize: () => ({ protocolVersion: 1 }),
    'session/new': () => ({ sessionId }),
    'session/prompt': async ({ prompt }, { peer: own }) => {
      const [block] = prompt;
      const more = await answer(block?.type === 'text' ? block.text : '', own);
      return { stopReason: 'end_turn', ...more };
    },
  };
  const peer = connectAgent(stdioTransport({ input: toAgent, output: toClient }), handlers);
  const agent = await attachAgent(stdioTransport({ input: toClient, output: toAgent, maxFrameBytes: longest }), {
    host: { files: { readTextFile: () => ({ content: '' }), writeTextFile: () => ({}) } },
  });
  onTestFinished(async () => void (await agent.close()));
  return { agent, peer };
}

const update = (peer: Peer<'agent'>, text: string): Promise<void> =>
  peer.notify('session/update', { sessionId, update: said(text) });

const losing: Answer = async (text, peer) => {
  await update(peer, 'before');
  if (text === 'lose') await update(peer, long);
  await update(peer, 'after');
};

const incomplete = expect.objectContaining({
  code: 'limit-exceeded',
  message: 'Part of the turn is missing: a message of the agent of 1 MiB exceeds the limit and was dropped',
});

test('a turn continues without a message that is too long, and ends as incomplete; the next one succeeds', async () => {
  const { agent } = await connected(losing);
  const losses: MessageLoss[] = [];
  const session = await agent.newSession({ cwd: '/', onMessageLost: (loss) => losses.push(loss) });
  const turn = session.prompt('lose');
  const seen: SessionUpdate[] = [];
  const reading = (async () => {
    for await (const each of turn) seen.push(each);
  })();
  await expect(reading).rejects.toEqual(incomplete);
  await expect(turn.result).rejects.toEqual(incomplete);
  expect([seen, losses.map(({ bytes }) => bytes > longest)]).toEqual([[said('before'), said('after')], [true]]);
  expect(await session.prompt('keep')).toEqual({ stopReason: 'end_turn' });
});

test.each<[how: string, onUpdate: () => Promise<void> | void]>([
  [
    'throws',
    () => {
      throw new Error('mine');
    },
  ],
  ['rejects', () => Promise.reject(new Error('mine'))],
])('a listener that %s does not take updates away from the turn', async (_, onUpdate) => {
  const { agent } = await connected(async (__, peer) => {
    await update(peer, 'heard');
    return { stopReason: 'end_turn' };
  });
  const session = await agent.newSession({ cwd: '/', onUpdate });
  const seen: SessionUpdate[] = [];
  for await (const each of session.prompt('go')) seen.push(each);
  expect(seen).toEqual([said('heard')]);
});

test('a cancelled turn ends as cancelled, whatever messages were skipped', async () => {
  let onCancel = (): void => undefined;
  const cancelled = new Promise<void>((resolve) => (onCancel = resolve));
  const { agent } = await connected(async (_, peer) => {
    await update(peer, long);
    await update(peer, 'after');
    await cancelled;
    return { stopReason: 'cancelled' };
  });
  const session = await agent.newSession({ cwd: '/', onUpdate: () => void turn.cancel().finally(onCancel) });
  const turn = session.prompt('go');
  onCancel();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
});

test('an answer that is too long ends its call at once', async () => {
  const { agent } = await connected(() => Promise.resolve({ _meta: { long } }));
  const session = await agent.newSession({ cwd: '/' });
  await expect(session.prompt('go')).rejects.toThrow(/is \d+ bytes long, more than is read/);
});

test('a request that is too long is refused, so that the agent does not wait', async () => {
  const refusals: unknown[] = [];
  const { agent } = await connected(async (_, peer) => {
    const write = { sessionId, path: '/a', content: long };
    await peer.request('fs/write_text_file', write).catch((error: unknown) => refusals.push((error as Error).message));
  });
  const session = await agent.newSession({ cwd: '/' });
  await expect(session.prompt('go')).rejects.toEqual(incomplete);
  expect(refusals).toEqual([expect.stringMatching(/^Invalid request: it is \d+ bytes long, more than is read$/)]);
});

test('messages skipped between turns are reported and fail no turn', async () => {
  const { agent, peer } = await connected(losing);
  let onLost = (_: MessageLoss): void => undefined;
  const lost = new Promise<MessageLoss>((resolve) => (onLost = resolve));
  const session = await agent.newSession({ cwd: '/', onMessageLost: (loss) => onLost(loss) });
  await update(peer, long);
  expect((await lost).bytes).toBeGreaterThan(longest);
  expect(await session.prompt('keep')).toEqual({ stopReason: 'end_turn' });
});
