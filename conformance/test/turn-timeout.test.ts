import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import { TurnTimeout } from '../src/wire/turn-timeout.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { expectAnswer, unknownMethod } from '../src/agent/fixtures/unknown-method.ts';
import type { AgentSubject } from '../src/agent/agent-subject.ts';
import { transportLine } from '../src/wire/transport-line.ts';
import { MethodTimeouts } from '../src/wire/method-timeouts.ts';
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

test('after two turns that do not end, the timeout is a tenth until one ends', async () => {
  const left = await timeoutsAfter('silence', 'silence', 'silence', 'silence', 'end_turn', 'silence');
  expect(left).toEqual([full, full / 10, full / 10, full / 10, full, full]);
});

test('an agent that opened no session in two full waits is not asked again, and is blamed for the known ones', async () => {
  const [here, there] = memoryPair();
  const client = new Wire(transportLine(here), { plays: 'client', timeout: 10_000 });
  const agent = new Wire(transportLine(there), { plays: 'agent', timeout: 10_000 });
  agent.handle('session/new', () => undefined);
  const timeout = new TurnTimeout(30);
  const seen: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    const stopped = await timeout.start(client, 'session/new', {}).catch((error: unknown) => error as Stopped);
    seen.push('requirement' in stopped && [stopped.requirement, stopped.message, timeout.isSilent]);
  }
  await Promise.all([client.close(), agent.close()]);
  const known = 'the agent did not answer session/new within 0 seconds, 2 times';
  expect({ seen, asked: client.journal.length }).toEqual({
    seen: [
      ['R019', 'session/new was not answered in time', false],
      ['R019', known, true],
      ['R019', known, true],
    ],
    asked: 2,
  });
});

test('an answer in time shows that an agent is slow, not silent', async () => {
  const [here, there] = memoryPair();
  const client = new Wire(transportLine(here), { plays: 'client', timeout: 10_000 });
  const agent = new Wire(transportLine(there), { plays: 'agent', timeout: 10_000 });
  let asked = 0;
  agent.handle('session/new', () => (++asked === 2 ? { sessionId: 'one' } : undefined));
  // The pace of the machine may change between two calls.
  const limit = within(1_000);
  const timeout = new TurnTimeout(limit);
  for (let times = 0; times < 2; times += 1) await timeout.start(client, 'session/new', {}).catch(() => undefined);
  timeout.note('late');
  await Promise.all([client.close(), agent.close()]);
  expect([timeout.isSilent, timeout.milliseconds]).toEqual([false, limit]);
});

test('an agent that never answers one method keeps the full timeout for the others', () => {
  const limits = new MethodTimeouts({ answer: full, start: 2 * full });
  for (let times = 0; times < 2; times += 1) limits.of('session/list').note('late', full);
  expect(['session/list', 'session/close', 'session/new'].map((method) => limits.of(method).milliseconds)).toEqual([
    full / 10,
    full,
    2 * full,
  ]);
});

test('cancelled turns do not count as turns that end', async () => {
  const left = await timeoutsAfter('cancelled', 'silence', 'silence', 'cancelled', 'silence');
  expect(left).toEqual([full, full, full / 10, full / 10, full / 10]);
});

test('turns that never end share a total timeout, then get 250 ms each', () => {
  const [within, over] = [new TurnTimeout(full, 400), new TurnTimeout(full, 0)];
  expect({ within: within.milliseconds <= 400, over: over.milliseconds }).toEqual({ within: true, over: 250 });
});

test('after two probes that are not answered, the timeout of their method is a tenth', async () => {
  const [here] = memoryPair();
  const answers = new MethodTimeouts({ answer: 30, start: 30 });
  const client = new Wire(transportLine(here), { plays: 'client', timeout: answers });
  const timeouts: number[] = [];
  for (let times = 0; times < 2; times += 1) {
    await expectAnswer(client).catch(() => undefined);
    timeouts.push(answers.of(unknownMethod).milliseconds);
  }
  await client.close();
  expect(timeouts).toEqual([30, 3]);
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
    ['the turn did not end within 0.1 seconds, and earlier ones did not within 1 seconds'],
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
