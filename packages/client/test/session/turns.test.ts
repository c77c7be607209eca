import type { Agent, PermissionEvent, Session, Turn } from '@turnwire/client';
import { launchAgent } from '@turnwire/client/node';
import type { Handlers, PromptResponse } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { failure, never, pair, said } from '../agent/agent-pair.ts';
import { cancelUnderWay, collect, inSession, scripted, textOf } from '../scripted.ts';

/** Handlers of an agent that ends a turn on request, and the requests it received. */
function patient(): { handlers: Handlers<'agent'>; asked: string[]; end: () => void } {
  const asked: string[] = [];
  let finish: ((result: PromptResponse) => void) | undefined;
  return {
    asked,
    end: () => finish?.({ stopReason: 'end_turn' }),
    handlers: {
      'session/prompt': ({ prompt }) => {
        asked.push(prompt.map((block) => ('text' in block ? block.text : block.type)).join());
        return new Promise((resolve) => (finish = resolve));
      },
      'session/cancel': () => finish?.({ stopReason: 'cancelled' }),
    },
  };
}

test('a prompt is refused during a turn, and accepted as soon as its end is visible', async () => {
  const { handlers, asked, end } = patient();
  await using connected = await pair({ handlers });
  const session = await connected.agent.newSession({ cwd: '/' });
  const first = session.prompt('one');
  const refused = await failure(session.prompt('two').result);
  const third = first.result.then(() => session.prompt('three').result);
  while (asked.length < 1) await new Promise((resolve) => setImmediate(resolve));
  end();
  while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
  end();
  expect({ asked, refused, results: [await first, await third] }).toEqual({
    asked: ['one', 'three'],
    refused: { code: 'busy', message: 'A turn of the session one is running: wait for its end, or cancel it' },
    results: [{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }],
  });
});

test('the metadata of prompts is computed for each prompt', async () => {
  const sent: unknown[] = [];
  let count = 0;
  const handlers: Handlers<'agent'> = {
    'session/prompt': ({ _meta }) => {
      sent.push(_meta);
      return { stopReason: 'end_turn' };
    },
  };
  const promptMeta = ({ capabilities }: Agent): Readonly<Record<string, unknown>> | undefined => {
    count++;
    return count === 2 ? undefined : { example: capabilities._meta?.['example'], count };
  };
  await using connected = await pair({ handlers, capabilities: { _meta: { example: 7 } }, promptMeta });
  const session = await connected.agent.newSession({ cwd: '/' });
  for (const text of ['one', 'two', 'three']) await session.prompt(text);
  expect(sent).toEqual([{ example: 7, count: 1 }, undefined, { example: 7, count: 3 }]);
});

test('a prompt sends its own keys, and an update keeps unknown keys', async () => {
  const sent: unknown[] = [];
  const received: unknown[] = [];
  await using connected = await pair({
    promptMeta: () => ({ example: 1 }),
    handlers: {
      'session/prompt': async ({ sessionId, _meta }, { peer }) => {
        sent.push(_meta);
        await peer.notify('session/update', { sessionId, update: said('hi'), _meta: { cursor: '1.1' } });
        await peer.notify('session/update', { sessionId, update: said('again') });
        return { stopReason: 'end_turn' };
      },
    },
  });
  const session = await connected.agent.newSession({
    cwd: '/',
    onUpdate: (_, context) => void received.push(context),
  });
  await session.prompt('one', { meta: { key: 'k' } });
  expect({ sent, received }).toEqual({
    sent: [{ example: 1, key: 'k' }],
    received: [{ isReplay: false, meta: { cursor: '1.1' } }, { isReplay: false }],
  });
});

test('cancelling a session ends the running turn, and the next one can start', async () => {
  const texts = await inSession({}, async (session) => {
    const first = session.prompt('hang');
    for await (const _ of first) break;
    await session.cancel();
    await session.cancel();
    return [(await first).stopReason, textOf(await collect(session.prompt('say next')))];
  });
  expect(texts).toEqual(['cancelled', 'next']);
});

test('cancelling a session without a turn does nothing', async () => {
  expect(
    await inSession({}, async (session) => {
      await session.cancel();
      return textOf(await collect(session.prompt('say fine')));
    }),
  ).toBe('fine');
});

test('closing a session ends the running turn, and later prompts are refused', async () => {
  const { handlers, asked } = patient();
  const closed: string[] = [];
  await using connected = await pair({
    capabilities: { sessionCapabilities: { close: {} } },
    handlers: {
      ...handlers,
      'session/close': ({ sessionId }) => {
        closed.push(sessionId);
        return {};
      },
    },
  });
  const session = await connected.agent.newSession({ cwd: '/' });
  const running = session.prompt('one');
  while (asked.length < 1) await new Promise((resolve) => setImmediate(resolve));
  await session.close?.();
  await session.close?.();
  const late = await failure(session.prompt('three').result);
  const request = { sessionId: 'one', toolCall: { toolCallId: 'a' }, options: [] };
  const unknown = await failure(connected.theirs.request('session/request_permission', request));
  expect({ result: await running, asked, closed, late, unknown: unknown.code }).toEqual({
    result: { stopReason: 'cancelled' },
    asked: ['one'],
    closed: ['one'],
    late: { code: 'cancelled', message: 'The session one was closed; load or resume it, or create a new one' },
    unknown: -32002,
  });
});

test('a session whose agent refuses to close it is closed on this side', async () => {
  await using connected = await pair({
    capabilities: { sessionCapabilities: { close: {} } },
    handlers: {
      'session/close': () => {
        throw new Error('busy');
      },
    },
  });
  const session = await connected.agent.newSession({ cwd: '/' });
  const { code } = await failure(session.close?.() ?? Promise.resolve());
  expect([code, (await failure(session.prompt('hm').result)).code]).toEqual([-32603, 'cancelled']);
});

test('a silent agent is reported once for each silence', async () => {
  const silences: unknown[] = [];
  let speak: (() => void) | undefined;
  await using connected = await pair({
    timeouts: { silence: 20 },
    handlers: {
      'session/prompt': async ({ sessionId }, { peer }) => {
        await new Promise<void>((resolve) => (speak = resolve));
        await peer.notify('session/update', { sessionId, update: said('here') });
        await new Promise<void>((resolve) => (speak = resolve));
        return { stopReason: 'end_turn' };
      },
    },
  });
  const session = await connected.agent.newSession({
    cwd: '/',
    onSilence: (turn, silentSince) => {
      silences.push([turn === running, typeof silentSince]);
      if (silentSince !== undefined) speak?.();
    },
  });
  const running: Turn = session.prompt('go');
  expect({ result: await running, silences }).toEqual({
    result: { stopReason: 'end_turn' },
    silences: [
      [true, 'number'],
      [true, 'undefined'],
      [true, 'number'],
    ],
  });
});

test('an agent that waits for a user is not silent', async () => {
  const silence = within(100);
  let silences = 0;
  await using connected = await pair({
    timeouts: { silence },
    permission: async ({ options }) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * silence));
      silencesWhileAsked = silences;
      return options[0];
    },
    handlers: {
      'session/prompt': async ({ sessionId }, { peer }) => {
        await peer.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 'a' },
          options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
        });
        return { stopReason: 'end_turn' };
      },
    },
  });
  let silencesWhileAsked: number | undefined;
  const session = await connected.agent.newSession({ cwd: '/', onSilence: () => void silences++ });
  await session.prompt('go');
  expect(silencesWhileAsked).toBe(0);
});

test('an agent that ignores a cancel is asked once more to stop, and its late answer has no effect', async () => {
  let answer: ((result: PromptResponse) => void) | undefined;
  let isAskedAgain = false;
  let prompts = 0;
  await using connected = await pair({
    timeouts: { cancel: 20 },
    handlers: {
      'session/prompt': (_, { signal }) => {
        if (++prompts > 1) return { stopReason: 'end_turn' };
        signal.addEventListener('abort', () => (isAskedAgain = true));
        return new Promise((resolve) => (answer = resolve));
      },
      'session/cancel': () => undefined,
    },
  });
  const session = await connected.agent.newSession({ cwd: '/' });
  const turn = session.prompt('one');
  while (!answer) await Promise.resolve();
  const { code } = await failure(turn.cancel());
  const next = await session.prompt('two');
  answer({ stopReason: 'end_turn' });
  expect({ code, next, isAskedAgain, again: (await failure(turn.result)).code }).toEqual({
    code: 'timeout',
    next: { stopReason: 'end_turn' },
    isAskedAgain: true,
    again: 'timeout',
  });
});

test('a turn ends with the connection', async () => {
  const agent = await launchAgent(scripted());
  const session = await agent.newSession({ cwd: process.cwd() });
  const { code } = await failure(session.prompt('die').result);
  await agent.close();
  expect(code).toBe('connection-closed');
});

/** The permission events of a session, driven from the agent's end of the connection. */
async function permissionEvents(
  work: (session: Session) => Promise<unknown>,
  options: Parameters<typeof inSession>[0],
): Promise<readonly PermissionEvent[]> {
  const events: PermissionEvent[] = [];
  const agent = await launchAgent(scripted(), options);
  try {
    const onPermission = (event: PermissionEvent): void => void events.push(event);
    await work(await agent.newSession({ cwd: process.cwd(), onPermission }));
  } finally {
    await agent.close();
  }
  return events;
}

const brief = (event: PermissionEvent): unknown =>
  event.type === 'permission-asked' ? event.request.toolCall.toolCallId : event.outcome;

test('every permission request and its outcome are reported', async () => {
  const allowed = await permissionEvents((session) => session.prompt('ask').result, {
    permission: ({ options }, { explain }) => {
      explain?.('allowed because it is a test');
      return options.find(({ kind }) => kind === 'allow_once');
    },
  });
  const rejected = await permissionEvents((session) => session.prompt('ask').result, {});
  const undecided = await permissionEvents((session) => session.prompt('ask').result, { permission: () => undefined });
  const toolCallId = 'call-1';
  expect([allowed, rejected, undecided].map((events) => events.map(brief))).toEqual([
    [toolCallId, { toolCallId, optionId: 'yes', allowed: true, reason: 'allowed because it is a test' }],
    [toolCallId, { toolCallId, optionId: 'no', allowed: false, reason: 'answered with "Reject"' }],
    [toolCallId, { toolCallId, allowed: false, reason: 'answered with cancelled: nothing was decided' }],
  ]);
});

test('a request that is cancelled, or that arrives after a cancel, is reported and ends once', async () => {
  const waiting = await permissionEvents(
    async (session) => {
      const turn = session.prompt('ask 2');
      await new Promise((resolve) => (sawBoth = resolve));
      await turn.cancel();
    },
    {
      permission: () => {
        if (++asked === 2) sawBoth?.(undefined);
        return never();
      },
    },
  );
  const late = await permissionEvents((session) => cancelUnderWay(session.prompt('askAfterCancel')), {});
  const cancelled = (toolCallId: string): unknown => ({
    toolCallId,
    allowed: false,
    reason: 'answered with cancelled: nothing was decided',
  });
  expect({ waiting: waiting.map(brief), late: late.map(brief) }).toEqual({
    waiting: ['call-1', 'call-2', cancelled('call-1'), cancelled('call-2')],
    late: ['call-1', cancelled('call-1')],
  });
});
let asked = 0;
let sawBoth: ((value: unknown) => void) | undefined;

test('a permission request is completed with earlier facts of its tool call', async () => {
  const seen: unknown[] = [];
  await using connected = await pair({
    permission: ({ toolCall }, { roots }) => {
      seen.push(toolCall, roots);
      return undefined;
    },
    handlers: {
      'session/prompt': async ({ sessionId }, { peer }) => {
        const update = (fields: object): Promise<void> =>
          peer.notify('session/update', { sessionId, update: { toolCallId: 'a', ...fields } as never });
        await update({ sessionUpdate: 'tool_call', title: 'Run', kind: 'execute', rawInput: { command: 'ls' } });
        await update({ sessionUpdate: 'tool_call_update', status: 'in_progress', title: null, name: 'shell' });
        const ask = (toolCall: { toolCallId: string; title?: string }): Promise<unknown> =>
          peer.request('session/request_permission', { sessionId, toolCall, options: [] });
        await ask({ toolCallId: 'a', title: 'Run ls' });
        await update({ sessionUpdate: 'tool_call_update', status: 'completed' });
        await ask({ toolCallId: 'a' });
        await ask({ toolCallId: 'b' });
        return { stopReason: 'end_turn' };
      },
    },
  });
  const session = await connected.agent.newSession({ cwd: '/project' });
  await session.prompt('go');
  const full = {
    toolCallId: 'a',
    title: 'Run ls',
    kind: 'execute',
    name: 'shell',
    status: 'in_progress',
    rawInput: { command: 'ls' },
  };
  const roots = ['/project'];
  expect(seen).toEqual([full, roots, { toolCallId: 'a' }, roots, { toolCallId: 'b' }, roots]);
});
