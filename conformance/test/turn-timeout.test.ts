import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { TurnTimeout } from '../src/agent/turn-timeout.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { expectAnswer } from '../src/agent/fixtures/unknown-method.ts';
import type { AgentSubject } from '../src/agent/agent-subject.ts';
import { transportLine } from '../src/wire/transport-line.ts';
import type { Stopped } from '../src/wire/stopped.ts';
import { Wire } from '../src/wire/wire.ts';

const full = 1_000;

/** The timeouts after some turns: `silence` stands for no answer, anything else is the stop reason. */
async function timeoutsAfter(...turns: readonly string[]): Promise<readonly number[]> {
  const [here, there] = memoryPair();
  const client = new Wire(transportLine(here), { plays: 'client', timeout: 10_000 });
  const agent = new Wire(transportLine(there), { plays: 'agent', timeout: 10_000 });
  agent.handle('session/prompt', ({ stopReason }) => (stopReason === 'silence' ? undefined : { stopReason }));
  const timeout = new TurnTimeout(full);
  const timeouts: number[] = [];
  for (const stopReason of turns) {
    await timeout.ask(client, { stopReason }).catch(() => undefined);
    timeouts.push(timeout.milliseconds);
  }
  await Promise.all([client.close(), agent.close()]);
  return timeouts;
}

test('after three turns that do not end, the timeout is a tenth until one ends', async () => {
  const left = await timeoutsAfter('silence', 'silence', 'silence', 'silence', 'end_turn', 'silence');
  expect(left).toEqual([full, full, full / 10, full / 10, full, full]);
});

test('after three sessions that do not open, the timeout is a tenth, without blame, until one opens', async () => {
  const [here, there] = memoryPair();
  const client = new Wire(transportLine(here), { plays: 'client', timeout: 10_000 });
  const agent = new Wire(transportLine(there), { plays: 'agent', timeout: 10_000 });
  agent.handle('session/new', ({ cwd }) => (cwd === undefined ? undefined : { sessionId: 'one' }));
  const timeout = new TurnTimeout(full);
  const seen: unknown[] = [];
  for (const params of [{}, {}, {}, {}, { cwd: '/' }, {}]) {
    const broken = await timeout.start(client, 'session/new', params).then(
      () => 'nothing',
      (error: unknown) => (error as Stopped).requirement,
    );
    seen.push([broken, timeout.milliseconds]);
  }
  await Promise.all([client.close(), agent.close()]);
  const [whole, tenth] = [full, full / 10];
  expect(seen).toEqual([
    ['R019', whole],
    ['R019', whole],
    ['R019', tenth],
    [undefined, tenth],
    ['nothing', whole],
    ['R019', whole],
  ]);
});

test('cancelled turns do not count as turns that end', async () => {
  const left = await timeoutsAfter('cancelled', 'silence', 'silence', 'cancelled', 'silence');
  expect(left).toEqual([full, full, full, full, full / 10]);
});

test('turns that never end share a total timeout, then get 250 ms each', () => {
  const [within, over] = [new TurnTimeout(full, 400), new TurnTimeout(full, 0)];
  expect({ within: within.milliseconds <= 400, over: over.milliseconds }).toEqual({ within: true, over: 250 });
});

test('after three probes that are not answered, the timeout of answers is a tenth', async () => {
  const [here] = memoryPair();
  const answers = new TurnTimeout(30);
  const client = new Wire(transportLine(here), { plays: 'client', timeout: answers });
  const timeouts: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    await expectAnswer(client).catch(() => undefined);
    timeouts.push(answers.milliseconds);
  }
  await client.close();
  expect(timeouts).toEqual([30, 30, 3]);
});

/** An agent whose turns end only when they are cancelled. */
function endlessAgent(): AgentSubject {
  return {
    name: 'endless',
    open: () => {
      const [client, transport] = memoryPair();
      serveAgent(
        {
          info: { name: 'endless', version: '1.0.0' },
          store: memoryStore(),
          promptCapabilities: {},
          mcpCapabilities: {},
          prompt: ({ signal }) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
        },
        { transport },
      );
      return Promise.resolve(transportLine(client));
    },
  };
}

test('the reason for unseen requirements says that no turn ended', async () => {
  const scenarios = agentScenarios.filter(({ id }) => id.startsWith('tool-calls/')).slice(0, 4);
  const { results } = await checkAgent(endlessAgent(), {
    scenarios,
    jobs: 1,
    timeouts: { answer: 10_000, turn: 1_000 },
    seed: 1,
  });
  const reasons = results.map(({ observations }) => [
    ...new Set(observations.flatMap(({ outcome, message }) => (outcome === 'unseen' ? [message] : []))),
  ]);
  const late = ['the turn did not end within 1 seconds'];
  expect(reasons).toEqual([
    late,
    late,
    late,
    ['the turn did not end within 0.1 seconds, and earlier ones did not within 1 seconds'],
  ]);
});

/** An agent in memory that creates sessions and never answers a prompt. */
function silentAgent(): AgentSubject {
  return {
    name: 'silent',
    open: () => {
      const [client, transport] = memoryPair();
      const agent = new Wire(transportLine(transport), { plays: 'agent', timeout: 10_000 });
      agent.handle('initialize', () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }));
      agent.handle('session/new', () => ({ sessionId: crypto.randomUUID() }));
      agent.handle('session/prompt', () => undefined);
      return Promise.resolve(transportLine(client));
    },
  };
}

test('an agent that never answers a prompt is judged in every scenario', async () => {
  const profiles = ['proposal', 'dialect', 'unstable'] as const;
  const timeouts = { answer: 500, turn: 500 };
  const { results } = await checkAgent(silentAgent(), { jobs: 10, timeouts, seed: 1, profiles });
  expect({
    scenarios: results.map(({ scenario }) => scenario),
    harnessErrors: results.flatMap(({ harnessError }) => harnessError ?? []),
  }).toEqual({
    scenarios: agentScenarios
      .filter(({ over, versions = [1] }) => over === undefined && versions.includes(1))
      .map(({ id }) => id),
    harnessErrors: [],
  });
});
