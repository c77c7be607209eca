import type { AgentWork } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { cancelWork } from '../../src/extensions/index.ts';
import { pair } from '../agent/agent-pair.ts';

/** What is sent to the agent to cancel work of the session `s`, or the error. */
async function sentFor(work: object): Promise<unknown> {
  const sent: unknown[] = [];
  const send = (...message: readonly unknown[]): Promise<void> => Promise.resolve(void sent.push(message));
  const peer = { request: send, notify: send };
  const failure = await cancelWork({ peer } as never, 's', work as AgentWork).catch((error: unknown) => error);
  return failure === undefined ? sent : (failure as Error).message;
}

const unknown = 'work: expected a tool call, a terminal or a child session, with its id';

test.each<[object, unknown]>([
  [
    { type: 'tool_call', toolCallId: 't', sessionId: 'other' },
    [['tool_call/cancel', { sessionId: 's', toolCallId: 't' }]],
  ],
  [{ type: 'terminal', terminalId: 'x' }, [['terminal/cancel', { sessionId: 's', terminalId: 'x' }]]],
  [{ type: 'subagent', sessionId: 'child' }, [['session/cancel', { sessionId: 'child' }]]],
  [{ type: 'subagent' }, unknown],
  [{ type: 'tool_call', toolCallId: 1 }, unknown],
  [{ type: 'session', sessionId: 'other' }, unknown],
])('%j cancels this work and nothing else', async (work, sent) => {
  expect(await sentFor(work)).toEqual(sent);
});

test('a tool call and a terminal of an agent of version 1 are refused without a message to the agent', async () => {
  await using connected = await pair();
  await expect(cancelWork(connected.agent, 'one', { type: 'tool_call', toolCallId: 't' })).rejects.toMatchObject({
    code: 'not-advertised',
  });
  await expect(cancelWork(connected.agent, 'one', { type: 'terminal', terminalId: 'x' })).rejects.toMatchObject({
    code: 'not-advertised',
  });
});
