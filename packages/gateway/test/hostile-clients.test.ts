import { tmpdir } from 'node:os';
import type { AgentDefinition } from '@turnwire/agent';
import { untilAborted } from '@turnwire/machine/waits';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway, type GatewayOptions } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';

const cwd = tmpdir();
const begin = { cwd, mcpServers: [] };

/**
 * `ask` requests a permission and reports the answer, `wait` waits for its cancellation, a number produces that many words, and any other prompt is
 * echoed.
 */
const definition: AgentDefinition = {
  info: { name: 'test', version: '1.0.0' },
  prompt: async (turn) => {
    if (turn.text === 'wait') return void (await untilAborted(new Promise(() => undefined), turn.signal));
    if (turn.text === 'ask') {
      const tool = turn.tool({ title: 'Run a thing', kind: 'other' });
      const { outcome } = await turn.askPermission(tool);
      await tool.complete();
      return void (await turn.say(outcome));
    }
    const count = Number(turn.text);
    if (Number.isNaN(count)) return void (await turn.say(turn.text));
    for (let index = 1; index <= count; index++) await turn.say(String(index));
  },
};

function open(options: Partial<GatewayOptions> = {}): Gateway {
  return new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd, ...options });
}

test('an answer that was not offered grants no permission', async () => {
  await using gateway = open();
  const client = await testClient(gateway, {
    handlers: {
      'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'allow-everything' } }),
    },
  });
  const { sessionId } = await client.peer.request('session/new', begin);
  await client.peer.request('session/prompt', { sessionId, prompt: words('ask') });
  expect(client.seen.at(-1)).toBe('cancelled');
});

test('an observer receives no permission requests', async () => {
  await using gateway = open({ limits: { question: 200 } });
  const asked: string[] = [];
  const controller = await testClient(gateway, {
    handlers: { 'session/request_permission': () => (asked.push('controller'), new Promise(() => undefined)) },
  });
  const { sessionId } = await controller.peer.request('session/new', begin);
  const observer = await testClient(gateway, {
    handlers: { 'session/request_permission': () => (asked.push('observer'), new Promise(() => undefined)) },
  });
  await observer.peer.request('session/load', { sessionId, ...begin, _meta: { turnwire: { role: 'observe' } } });
  await controller.peer.request('session/prompt', { sessionId, prompt: words('ask') });
  expect({ asked, seen: controller.seen.at(-1) }).toEqual({ asked: ['controller'], seen: 'rejected' });
});

test('the number of queued prompts is limited', async () => {
  await using gateway = open({ limits: { queue: 1 } });
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', begin);
  const first = peer.request('session/prompt', { sessionId, prompt: words('wait') });
  const second = peer.request('session/prompt', { sessionId, prompt: words('two') });
  await expect(peer.request('session/prompt', { sessionId, prompt: words('three') })).rejects.toThrow(
    'The session has 1 waiting prompts already: wait for an answer, or cancel',
  );
  await peer.notify('session/cancel', { sessionId });
  expect([(await first).stopReason, (await second).stopReason]).toEqual(['cancelled', 'cancelled']);
});

test('a client that disconnects after any number of replayed events gets the rest by its cursor, without duplicates', async () => {
  await using gateway = open();
  const first = await testClient(gateway);
  const { sessionId } = await first.peer.request('session/new', begin);
  await first.peer.request('session/prompt', { sessionId, prompt: words('40') });
  const whole = ['> 40', ...Array.from({ length: 40 }, (_, index) => String(index + 1))];
  for (let enough = 0; enough <= whole.length; enough++) {
    const cut = await testClient(gateway, { cutAfter: enough });
    await cut.peer.request('session/load', { sessionId, ...begin }).catch(() => undefined);
    const rest = await testClient(gateway);
    const after = cut.cursor === undefined ? {} : { _meta: { turnwire: { after: cut.cursor } } };
    await rest.peer.request('session/load', { sessionId, ...begin, ...after });
    expect([...cut.seen, ...rest.seen]).toEqual(whole);
    rest.destroy();
  }
});

test.each(['_turnwire/event', '_turnwire/park', '_gateway/close', 'session/steal'])(
  "the method %s does not reach the gateway's internals",
  async (method) => {
    await using gateway = open();
    const { peer } = await testClient(gateway);
    const { sessionId } = await peer.request('session/new', begin);
    await expect(peer.raw.request(method, {})).rejects.toMatchObject({ code: -32601 });
    await expect(peer.raw.request(method, { sessionId })).rejects.toMatchObject({ code: -32601 });
  },
);

test.each(['../../etc/passwd', '*', '%', 'a'.repeat(900), '', '\u0000', "' OR 1=1 --"])(
  'the session id %j is refused like any unknown id',
  async (sessionId) => {
    await using gateway = open();
    const { peer } = await testClient(gateway);
    await expect(peer.request('session/load', { sessionId, ...begin })).rejects.toMatchObject({
      code: -32002,
      message: `There is no session ${sessionId}`,
    });
  },
);

test('a malformed or very long session id is unknown, and the error message shortens it', async () => {
  await using gateway = open();
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', begin);
  const fullWidth = sessionId.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  const like = [sessionId.toUpperCase(), `${sessionId} `, ` ${sessionId}`, `${sessionId}\u200b`, fullWidth];
  for (const id of like)
    await expect(peer.request('session/load', { sessionId: id, ...begin })).rejects.toMatchObject({ code: -32002 });
  const long = peer.request('session/load', { sessionId: 'x'.repeat(1_000_000), ...begin });
  await expect(long).rejects.toThrow(/There is no session x{1000}$/);
});

test("an observer's answer to another client's permission request is ignored", async () => {
  await using gateway = open();
  let answer = (_optionId: string): void => undefined;
  let offered: readonly string[] = [];
  const controller = await testClient(gateway, {
    handlers: {
      'session/request_permission': ({ options }) => {
        offered = options.map(({ optionId }) => optionId);
        return new Promise((resolve) => {
          answer = (optionId) => resolve({ outcome: { outcome: 'selected', optionId } });
        });
      },
    },
  });
  const { sessionId } = await controller.peer.request('session/new', begin);
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'observe' }, agent: 'test' });
  const heard: { readonly id?: unknown }[] = [];
  near.start({
    frame: (text) => void heard.push(JSON.parse(text) as object),
    warning: () => undefined,
    end: () => undefined,
  });
  const send = async (message: object): Promise<void> => near.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const answered = (): readonly unknown[] => heard.map((each) => each.id);
  await send({ id: 'a', method: 'initialize', params: { protocolVersion: 1 } });
  await send({ id: 'b', method: 'session/resume', params: { sessionId, cwd } });
  await expect.poll(answered).toContain('b');
  const turn = controller.peer.request('session/prompt', { sessionId, prompt: words('ask') });
  await expect.poll(() => offered.length).toBeGreaterThan(0);
  const [allowed = ''] = offered;
  for (let id = 0; id < 20; id++) await send({ id, result: { outcome: { outcome: 'selected', optionId: allowed } } });
  await send({ id: 'c', method: '_turnwire/status', params: { sessionId } });
  await expect.poll(answered).toContain('c');
  expect(controller.seen).toEqual(['tool_call']);
  answer(offered.at(-1) ?? '');
  await turn;
  expect(controller.seen.at(-1)).toBe('rejected');
});

test('a hundred reconnects of a client start no further agent and log no event', async () => {
  const agent = testAgent(definition);
  await using gateway = open({ agents: { test: agent.hosted } });
  const owner = await testClient(gateway);
  const { sessionId } = await owner.peer.request('session/new', begin);
  for (let count = 0; count < 100; count++) {
    const client = await testClient(gateway);
    const resumed = client.peer.request('session/load', { sessionId, ...begin }).catch(() => undefined);
    if (count % 2 === 0) await resumed;
    client.destroy();
  }
  await owner.peer.request('session/prompt', { sessionId, prompt: words('hello') });
  await expect.poll(() => gateway.connections).toBe(1);
  expect({ starts: agent.starts, seen: owner.seen }).toEqual({ starts: 1, seen: ['hello'] });
});

test('a cursor from another session leads to an explicit gap, never to events of another session', async () => {
  await using gateway = open();
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', begin);
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  const resumed = async (after: unknown): Promise<unknown> => {
    const client = await testClient(gateway);
    const answer = await client.peer.request('session/resume', { sessionId, cwd, _meta: { turnwire: { after } } });
    return { gap: (answer._meta?.['turnwire'] as { readonly gap?: string } | undefined)?.gap, seen: client.seen };
  };
  const unknown = { gap: 'unknown', seen: [] };
  expect(await Promise.all(['1.4000', '2.1', '0.3', '999999999999999.999999999999999'].map(resumed))).toEqual([
    unknown,
    unknown,
    unknown,
    unknown,
  ]);
  for (const after of ['', '1', '-1.2', '1.18446744073709551616', 'a.b', 7, {}, '1.2.3'])
    await expect(resumed(after)).rejects.toThrow('_meta.turnwire.after: the cursor of an update is needed');
});

test('two connections that resume at once, and one that resumes again, all continue', async () => {
  await using gateway = open();
  const first = await testClient(gateway);
  const { sessionId } = await first.peer.request('session/new', begin);
  const [second, third] = [await testClient(gateway), await testClient(gateway)];
  await Promise.all([
    second.peer.request('session/resume', { sessionId, cwd }),
    third.peer.request('session/resume', { sessionId, cwd }),
    first.peer.request('session/resume', { sessionId, cwd }),
  ]);
  await second.peer.request('session/prompt', { sessionId, prompt: words('hello') });
  await expect
    .poll(() => [first.seen, second.seen, third.seen])
    .toEqual([['> hello', 'hello'], ['hello'], ['> hello', 'hello']]);
});

test('a client that does not read delays no other client, and receives everything once it reads', async () => {
  await using gateway = open();
  const reader = await testClient(gateway);
  const { sessionId } = await reader.peer.request('session/new', begin);
  let read = (): void => undefined;
  const reads = new Promise<void>((resolve) => (read = resolve));
  let slow = 0;
  const stuck = await testClient(gateway, {
    handlers: {
      'session/update': async () => {
        await reads;
        slow++;
      },
    },
  });
  await stuck.peer.request('session/resume', { sessionId, cwd });
  await reader.peer.request('session/prompt', { sessionId, prompt: words('2000') });
  expect({ seen: reader.seen.length, slow }).toEqual({ seen: 2000, slow: 0 });
  read();
  await expect.poll(() => slow).toBe(2001);
});

test('deleting a session during its replay ends the session without a hanging request', async () => {
  await using gateway = open();
  const owner = await testClient(gateway);
  const { sessionId } = await owner.peer.request('session/new', begin);
  await owner.peer.request('session/prompt', { sessionId, prompt: words('3000') });
  const reader = await testClient(gateway);
  const loading = reader.peer.request('session/load', { sessionId, ...begin });
  await expect.poll(() => reader.seen.length).toBeGreaterThan(0);
  await owner.peer.request('session/delete', { sessionId });
  await loading;
  await expect(reader.peer.request('session/load', { sessionId, ...begin })).rejects.toThrow(
    `There is no session ${sessionId}`,
  );
});

test('updates that an agent sends for a session of another agent reach no client', async () => {
  const foreign: AgentDefinition = {
    info: { name: 'foreign', version: '1.0.0' },
    prompt: async (turn) => {
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'stolen' } };
      for (let count = 0; count < 10_000; count++)
        await turn.client.notify('session/update', { sessionId: turn.text, update } as never);
      await turn.say('done');
    },
  };
  await using gateway = open({
    agents: { test: testAgent(definition).hosted, foreign: testAgent(foreign).hosted },
  });
  const victim = await testClient(gateway);
  const { sessionId } = await victim.peer.request('session/new', begin);
  const attacker = await testClient(gateway, { agent: 'foreign' });
  const own = await attacker.peer.request('session/new', begin);
  await attacker.peer.request('session/prompt', { sessionId: own.sessionId, prompt: words(sessionId) });
  await victim.peer.request('session/prompt', { sessionId, prompt: words('hello') });
  expect({ attacker: attacker.seen, victim: victim.seen }).toEqual({ attacker: ['done'], victim: ['hello'] });
});

test('an update of an unknown kind reaches every client unchanged', async () => {
  const future: AgentDefinition = {
    info: { name: 'future', version: '1.0.0' },
    prompt: async (turn) => {
      await turn.update({ sessionUpdate: 'future_update', detail: 7 } as never);
      await turn.say('done');
    },
  };
  await using gateway = open({ agents: { test: testAgent(future).hosted } });
  const [first, second] = [await testClient(gateway), await testClient(gateway)];
  const { sessionId } = await first.peer.request('session/new', begin);
  await second.peer.request('session/resume', { sessionId, cwd });
  await first.peer.request('session/prompt', { sessionId, prompt: words('go') });
  await expect.poll(() => second.seen.at(-1)).toBe('done');
  expect([first.seen, second.seen]).toEqual([
    ['future_update', 'done'],
    ['> go', 'future_update', 'done'],
  ]);
});

test('a cancellation that races with the end of a turn leaves one answer and a working session', async () => {
  await using gateway = open();
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', begin);
  const reasons = new Set<string>();
  for (let steps = 0; steps < 40; steps++) {
    const turn = client.peer.request('session/prompt', { sessionId, prompt: words('one') });
    // After this many iterations of the event loop: before, during and after the end of the turn.
    for (let step = 0; step < steps; step++) await new Promise((resolve) => setImmediate(resolve));
    await client.peer.notify('session/cancel', { sessionId });
    reasons.add((await turn).stopReason);
  }
  const last = await client.peer.request('session/prompt', { sessionId, prompt: words('last') });
  expect({ reasons: [...reasons].toSorted(), last: last.stopReason, seen: client.seen.at(-1) }).toEqual({
    reasons: ['cancelled', 'end_turn'],
    last: 'end_turn',
    seen: 'last',
  });
});

test('a cancellation from another tenant has no effect', async () => {
  await using gateway = open();
  const owner = await testClient(gateway);
  const { sessionId } = await owner.peer.request('session/new', begin);
  const turn = owner.peer.request('session/prompt', { sessionId, prompt: words('wait') });
  const stranger = await testClient(gateway, { principal: { tenant: 'other', scope: 'control' } });
  await stranger.peer.notify('session/cancel', { sessionId });
  // An answer follows everything that was sent before its request.
  await expect(stranger.peer.request('session/resume', { sessionId, cwd })).rejects.toThrow(
    `There is no session ${sessionId}`,
  );
  const status = await owner.peer.request('_turnwire/status', { sessionId });
  await owner.peer.notify('session/cancel', { sessionId });
  expect({ status, reason: (await turn).stopReason }).toMatchObject({
    status: { state: { name: 'working' } },
    reason: 'cancelled',
  });
});

test('an agent that sends endless permission requests is refused beyond a limit, and its client receives one at a time', async () => {
  const outcomes: string[] = [];
  const flood: AgentDefinition = {
    info: { name: 'flood', version: '1.0.0' },
    prompt: async (turn) => {
      const sessionId = turn.session.id;
      const question = {
        sessionId,
        toolCall: { toolCallId: 'one', title: 'Run a thing' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      };
      const asked = Array.from({ length: 10_100 }, () =>
        turn.client.request('session/request_permission', question as never).then(
          ({ outcome }) => outcomes.push(outcome.outcome),
          (error: unknown) => outcomes.push((error as Error).message),
        ),
      );
      await Promise.all(asked);
    },
  };
  await using gateway = open({ agents: { test: testAgent(flood).hosted } });
  let [now, most] = [0, 0];
  const client = await testClient(gateway, {
    handlers: {
      'session/request_permission': (_question, { signal }) => {
        most = Math.max(most, ++now);
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            now--;
            resolve({ outcome: { outcome: 'cancelled' } });
          }),
        );
      },
    },
  });
  const { sessionId } = await client.peer.request('session/new', begin);
  const turn = client.peer.request('session/prompt', { sessionId, prompt: words('go') });
  await expect.poll(() => [most, outcomes.length]).toEqual([1, 100]);
  await client.peer.notify('session/cancel', { sessionId });
  const { stopReason } = await turn;
  const counts = [...new Set(outcomes)].map((outcome) => ({
    outcome,
    count: outcomes.filter((each) => each === outcome).length,
  }));
  expect({ stopReason, most, counts }).toEqual({
    stopReason: 'cancelled',
    most: 1,
    counts: [
      { outcome: 'Too much at once: 10000 requests are running', count: 100 },
      { outcome: 'cancelled', count: 10_000 },
    ],
  });
});
