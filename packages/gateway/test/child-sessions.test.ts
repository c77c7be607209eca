import { tmpdir } from 'node:os';
import { attachAgent } from '@turnwire/client';
import { childSessions } from '@turnwire/client/extensions';
import { protocolVersions } from '@turnwire/client/v2';
import { connectAgent, type Handlers, type RawCalls } from '@turnwire/protocol';
import { v2, type V2 } from '@turnwire/protocol/v2';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';

const text = { type: 'text', text: 'Found it.' } as const;

/** An agent of version 2 that starts a child session, and ends its turn when the child is cancelled. */
function delegating(): HostedAgent['start'] {
  let cancelled: ((sessionId: string) => void) | undefined;
  const handlers: Handlers<'agent', V2> = {
    initialize: () => ({ protocolVersion: 2, info: { name: 'a', version: '1' }, capabilities: { session: {} } }),
    'session/new': () => ({ sessionId: 's' }),
    'session/prompt': async ({ sessionId, prompt }, { peer }) => {
      const send = (update: object, session = sessionId): Promise<void> =>
        peer.raw.notify('session/update', { sessionId: session, update });
      await send({ sessionUpdate: 'user_message', messageId: 'u', content: prompt });
      await send({ sessionUpdate: 'state_update', state: 'running' });
      await send({ sessionUpdate: 'subagent_update', sessionId: 'c', title: 'Find it', capabilities: { cancel: {} } });
      await send({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text }, 'c');
      void new Promise<string>((resolve) => (cancelled = resolve)).then(async (child) => {
        await send({ sessionUpdate: 'subagent_update', sessionId: child, state: { state: 'idle' } });
        await send({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
      });
      return { messageId: 'u' };
    },
    'session/cancel': ({ sessionId }) => cancelled?.(sessionId),
    'session/close': () => ({}),
  };
  return (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, handlers, { edition: v2 });
    return attachAgent(near, { ...options, versions: protocolVersions([1, 2]) });
  };
}

test.each([
  [1, undefined],
  [1, childSessions],
  [2, childSessions],
] as const)(
  'a client of version %i cancels a child session of an agent of version 2 by its id, and every other method with the id is refused',
  async (version, children) => {
    await using gateway = new Gateway({
      store: memoryStore(),
      agents: { a: { start: delegating() } },
      cwd: tmpdir(),
    });
    const [near, far] = memoryPair();
    gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'a' });
    let started: (() => void) | undefined;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const ofChild: unknown[] = [];
    await using agent = await attachAgent(near, {
      versions: version === 2 ? protocolVersions([2]) : undefined,
      childSessions: children,
    });
    const session = await agent.newSession({
      cwd: tmpdir(),
      onUpdate: (_, { meta }) => {
        const { lost } = (meta?.['turnwire'] ?? {}) as { readonly lost?: { readonly sessionId?: string } };
        if (lost?.sessionId !== 'c' || 'sessionUpdate' in lost) return;
        ofChild.push(lost);
        started?.();
      },
      onChildUpdate: (sessionId, update) => {
        ofChild.push({ sessionId, update });
        started?.();
      },
    });
    const turn = session.prompt('delegate');
    await isStarted;
    const raw: RawCalls = agent.peer.raw;
    const prompt = [{ type: 'text', text: 'hello' }];
    const opening = version === 2 ? 'session/resume' : 'session/load';
    const others = await Promise.all(
      [
        ['session/prompt', { prompt }],
        ['session/close', {}],
        ['session/delete', {}],
        [opening, { cwd: tmpdir(), mcpServers: [] }],
      ].map(([method, params]) =>
        raw.request(method as string, { sessionId: 'c', ...(params as object) }).catch((error: unknown) => error),
      ),
    );
    await raw.notify('session/cancel', { sessionId: 'c' });
    expect({
      others: others.map((error) => (error as { code?: number }).code),
      ofChild,
      end: await turn.result,
    }).toEqual({
      others: [-32_602, -32_602, -32_602, -32_602],
      ofChild: [{ sessionId: 'c', update: { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text } }],
      end: expect.objectContaining({ stopReason: 'end_turn' }) as unknown,
    });
  },
);
