import * as official from '@agentclientprotocol/sdk/experimental/v2';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { officialStream } from '../../../protocol/test/v2/official-stream.ts';
import { type AgentDefinition, memoryStore, type Turn } from '../../src/index.ts';
import { serveAgent } from '../../src/node/index.ts';
import { gate, numbered } from '../agent-pair.ts';

type Update = { readonly [key: string]: unknown };

/** The client of the official package, and what its agent sent. */
class OfficialClient {
  readonly updates: Update[] = [];
  /** The parameters of each question, by method. */
  readonly questions: (readonly [method: string, params: object])[] = [];
  readonly completed: string[] = [];
  readonly #agent: {
    request(method: string, params: object): Promise<unknown>;
    notify(method: string, params: object): Promise<unknown>;
  };
  readonly #waiting = new Set<() => void>();

  /** @param answers the answers to the questions, by method; a question without one waits until it is cancelled */
  constructor(definition: AgentDefinition<undefined>, answers: Readonly<Record<string, object>> = {}) {
    const [here, there] = memoryPair();
    serveAgent(definition, { transport: there, versions: [1, 2], log: () => undefined });
    const answered =
      (method: string) =>
      async ({ params, signal }: { readonly params: object; readonly signal: AbortSignal }): Promise<never> => {
        this.#note(() => void this.questions.push([method, params]));
        const answer = answers[method] ?? { outcome: { outcome: 'cancelled' } };
        if (answers[method] === undefined)
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return answer as never;
      };
    const app = official
      .client()
      .onNotification('session/update', ({ params }) =>
        this.#note(() => void this.updates.push(params.update as Update)),
      )
      .onNotification('elicitation/complete', ({ params }) =>
        this.#note(() => void this.completed.push(params.elicitationId)),
      )
      .onRequest('session/request_permission', answered('session/request_permission'))
      .onRequest('elicitation/create', answered('elicitation/create'));
    this.#agent = app.connect(officialStream(here)).agent as never;
  }

  call(method: string, params: object = {}): Promise<unknown> {
    return this.#agent.request(method, params);
  }

  notify(method: string, params: object): Promise<unknown> {
    return this.#agent.notify(method, params);
  }

  /** Introduces itself, and begins a session. */
  async begin(): Promise<string> {
    const capabilities = { elicitation: { form: {}, url: {} } };
    await this.call('initialize', { protocolVersion: 2, info: { name: 'official', version: '1.0.0' }, capabilities });
    return ((await this.call('session/new', { cwd: '/' })) as { readonly sessionId: string }).sessionId;
  }

  prompt(sessionId: string, text: string): Promise<unknown> {
    return this.call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isTrue()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Waits for the end of the nth turn. Its state, and what was reported before, with generated ids as numbers. */
  async turn(nth = 1): Promise<unknown> {
    await this.until(() => this.updates.filter(({ state }) => state === 'idle').length === nth);
    return numbered(this.updates);
  }

  #note(change: () => void): void {
    change();
    for (const check of this.#waiting) check();
  }
}

const define = (prompt: (turn: Turn<undefined>) => Promise<unknown>): AgentDefinition<undefined> => ({
  info: { name: 'ours', version: '1.0.0' },
  prompt: prompt as AgentDefinition<undefined>['prompt'],
  store: memoryStore(),
});
const state = (name: string, more: object = {}): object => ({ sessionUpdate: 'state_update', state: name, ...more });
const text = (value: string): object => ({ type: 'text', text: value });

test('the official client answers a permission of a turn', async () => {
  const client = new OfficialClient(
    define(async (turn) => {
      const tool = turn.tool({ title: 'Delete' });
      const { outcome } = await turn.askPermission(tool);
      await tool.complete();
      await turn.say(outcome);
    }),
    { 'session/request_permission': { outcome: { outcome: 'selected', optionId: 'allow_once' } } },
  );
  const answer = await client.prompt(await client.begin(), 'work');
  const updates = await client.turn();
  expect([numbered(answer), updates, client.questions.map(([method]) => method)]).toEqual([
    { messageId: 'id-1' },
    [
      { sessionUpdate: 'user_message', messageId: 'id-1', content: [text('work')] },
      state('running'),
      expect.objectContaining({ sessionUpdate: 'tool_call_update', title: 'Delete' }) as object,
      state('requires_action'),
      state('running'),
      { sessionUpdate: 'tool_call_update', toolCallId: 'id-2', status: 'completed' },
      expect.objectContaining({ sessionUpdate: 'agent_message_chunk', content: text('allowed') }) as object,
      state('idle', { stopReason: 'end_turn' }),
    ],
    ['session/request_permission'],
  ]);
});

test('the official client cancels a turn that waits for a permission, and the question ends', async () => {
  const outcomes: string[] = [];
  const client = new OfficialClient(
    define(async (turn) => {
      if (turn.text === 'work') outcomes.push((await turn.askPermission(turn.tool({ title: 'Delete' }))).outcome);
      else await turn.say('Done.');
    }),
  );
  const sessionId = await client.begin();
  await client.prompt(sessionId, 'work');
  await client.until(() => client.questions.length === 1);
  await client.notify('session/cancel', { sessionId });
  await client.turn();
  expect(client.updates.at(-1)).toEqual(state('idle', { stopReason: 'cancelled' }));
  await client.prompt(sessionId, 'again');
  await client.turn(2);
  expect([client.updates.at(-1), outcomes]).toEqual([state('idle', { stopReason: 'end_turn' }), ['cancelled']]);
});

test('the official client cancels a prompt that is held', async () => {
  const { opened, open } = gate();
  const client = new OfficialClient(define(async () => opened));
  const sessionId = await client.begin();
  await client.prompt(sessionId, 'first');
  const held = client.prompt(sessionId, 'second').catch((error: unknown) => (error as { readonly code: number }).code);
  await client.notify('session/cancel', { sessionId });
  expect(await held).toBe(-32_800);
  open();
  await client.turn();
  expect(client.updates.at(-1)).toEqual(state('idle', { stopReason: 'cancelled' }));
});

test('the official client gets the history of a session, its end and its state before the answer', async () => {
  const client = new OfficialClient(define((turn) => turn.say(`Hello, ${turn.text}`)));
  const sessionId = await client.begin();
  await client.prompt(sessionId, 'you');
  await client.turn();
  const [echo] = client.updates;
  await client.call('session/close', { sessionId });
  client.updates.length = 0;
  await client.call('session/resume', { sessionId, cwd: '/', replayFrom: { type: 'start' } });
  // The official client handles an answer before the updates that came just before it.
  await client.until(() => client.updates.at(-1)?.['state'] === 'idle');
  expect(client.updates.map(({ _meta, ...update }) => update)).toEqual([
    echo,
    { sessionUpdate: 'agent_message', messageId: expect.any(String) as string, content: [text('Hello, you')] },
    { sessionUpdate: 'replay_complete' },
    state('idle'),
  ]);
});

test('the official client answers a form, and learns that a page was completed', async () => {
  const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
  const client = new OfficialClient(
    define(async (turn) => {
      const answer = await turn.askUser(
        turn.text === 'form'
          ? { message: 'Who?', form }
          : { message: 'Log in there', url: 'https://example.org/login' },
      );
      await turn.say(JSON.stringify(answer));
      if (answer.outcome === 'answered' && turn.text === 'page') await answer.completed();
    }),
    { 'elicitation/create': { action: 'accept', content: { name: 'Ada' } } },
  );
  const sessionId = await client.begin();
  await client.prompt(sessionId, 'form');
  await client.turn();
  await client.prompt(sessionId, 'page');
  await client.turn(2);
  await client.until(() => client.completed.length === 1);
  const [first, second] = client.questions.map(([, params]) => params);
  const { elicitationId, ...page } = second as { readonly elicitationId?: string };
  expect([
    first,
    page,
    client.completed,
    client.updates.filter(({ state: name }) => name).map(({ state: name }) => name),
  ]).toEqual([
    { sessionId, mode: 'form', message: 'Who?', requestedSchema: form },
    { sessionId, mode: 'url', message: 'Log in there', url: 'https://example.org/login' },
    [elicitationId],
    ['running', 'requires_action', 'running', 'idle', 'running', 'requires_action', 'running', 'idle'],
  ]);
});
