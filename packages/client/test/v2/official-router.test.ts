import { type AgentOptions, approveAll, attachAgent, type Agent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import type { SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { describe, expect, test } from 'vitest';
import { collect } from '../scripted.ts';
import { serveOfficialRouter } from './official-router.ts';

/** Attaches to official agents behind the official router, and asks for this version. */
function attach(asked: 1 | 2, options: AgentOptions = {}, served: readonly (1 | 2)[] = [1, 2]): Promise<Agent> {
  const [ours, theirs] = memoryPair();
  serveOfficialRouter(theirs, served);
  return attachAgent(ours, { ...options, ...(asked === 2 && { versions: protocolVersions([1, 2]) }) });
}

const text = (value: string): object => ({ type: 'text', text: value });
const said = (messageId: string, value: string): object => ({
  ...{ sessionUpdate: 'agent_message_chunk', messageId },
  content: text(value),
});

/** Without the updates that only version 2 has: the echo of the prompt, and states. */
function inBoth(updates: readonly SessionUpdate[]): readonly SessionUpdate[] {
  return updates.filter(
    ({ sessionUpdate: kind }) => (kind as string) !== 'state_update' && kind !== 'user_message_chunk',
  );
}

describe.each([1, 2] as const)(
  'with official agents behind their router, a client that asks for version %i',
  (asked) => {
    test('agrees on that version, and runs a turn with a permission', async () => {
      await using agent = await attach(asked, { permission: approveAll });
      const session = await agent.newSession({ cwd: '/' });
      const turn = session.prompt('delete');
      const updates = inBoth(await collect(turn));
      expect({ version: agent.version, info: agent.info, updates, result: await turn.result }).toEqual({
        version: asked,
        info: { name: 'official', version: `${asked}.0.0` },
        updates: [
          {
            ...{ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Delete a.txt' },
            ...{ kind: 'delete', status: 'in_progress' },
          },
          { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' },
          said('to delete', 'yes'),
        ],
        result: { stopReason: 'end_turn' },
      });
    });

    test('cancels a turn that asks, and continues with the next one', async () => {
      let onAsked!: () => void;
      const isAsked = new Promise<void>((resolve) => (onAsked = resolve));
      await using agent = await attach(asked, {
        permission: (_, { signal }) => {
          onAsked();
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
        },
      });
      const session = await agent.newSession({ cwd: '/' });
      const turn = session.prompt('delete');
      const updates = collect(turn);
      await isAsked;
      expect(await turn.cancel()).toEqual({ stopReason: 'cancelled' });
      expect(inBoth(await updates).at(-1)).toEqual({
        ...{ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed' },
      });
      expect(await session.prompt('nothing').result).toEqual({ stopReason: 'end_turn' });
    });

    test('replays the history of a session', async () => {
      await using agent = await attach(asked);
      const replayed: SessionUpdate[] = [];
      const later: SessionUpdate[] = [];
      const session = await agent.loadSession?.({
        sessionId: 's',
        cwd: '/',
        onUpdate: (update, { isReplay }) => void (isReplay ? replayed : later).push(update),
      });
      expect([replayed, inBoth(later)]).toEqual([
        [
          { sessionUpdate: 'user_message_chunk', messageId: 'u0', content: text('Hello') },
          // The agent begins its message without content.
          ...(asked === 2 ? [{ sessionUpdate: 'session_info_update' }] : []),
          said('a0', 'Hi'),
        ],
        [],
      ]);
      expect(await session?.prompt('nothing').result).toEqual({ stopReason: 'end_turn' });
    });

    test('answers a form, and opens a page until it is completed', async () => {
      const questions: unknown[] = [];
      let onCompleted!: (id: string) => void;
      const completed = new Promise<string>((resolve) => (onCompleted = resolve));
      await using agent = await attach(asked, {
        host: {
          elicitation: {
            form: (request) => {
              questions.push(request);
              return { action: 'accept', content: { name: 'Ada' } };
            },
            url: (request) => {
              questions.push(request);
              return { action: 'accept' };
            },
            complete: (id) => onCompleted(id),
          },
        },
      });
      const session = await agent.newSession({ cwd: '/' });
      const answers = [];
      for (const prompt of ['ask', 'visit']) {
        const turn = session.prompt(prompt);
        answers.push(...inBoth(await collect(turn)));
        expect(await turn.result).toEqual({ stopReason: 'end_turn' });
      }
      expect([questions, answers, await completed]).toEqual([
        [
          {
            ...{ sessionId: 's', mode: 'form', message: 'Who?' },
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          },
          {
            sessionId: 's',
            mode: 'url',
            message: 'Log in there',
            elicitationId: 'page',
            url: 'https://example.org/login',
          },
        ],
        [said('to ask', '[["action","accept"],["content",{"name":"Ada"}]]'), said('to visit', '[["action","accept"]]')],
        'page',
      ]);
    });
  },
);

test.each([
  [1, [1], 1],
  [2, [1], 1],
  [2, [2], 2],
] as const)(
  'a client that asks for version %i of a router with agents of %j agrees on version %i',
  async (asked, served, agreed) => {
    await using agent = await attach(asked, {}, served);
    expect(agent.version).toBe(agreed);
  },
);

test('a client that asks for version 1 of a router with an agent of version 2 is informed', async () => {
  await expect(attach(1, {}, [2])).rejects.toMatchObject({ code: 'version-mismatch' });
});
