import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { TurnPatience } from '../src/agent/turn-patience.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import type { AgentSubject } from '../src/agent/agent-subject.ts';
import { transportLine } from '../src/wire/transport-line.ts';
import type { Stopped } from '../src/wire/stopped.ts';
import { Wire } from '../src/wire/wire.ts';

const full = 1_000;

/** What is left to a turn after some turns: `silence` is no answer, anything else the stop reason. */
async function patienceAfter(...turns: readonly string[]): Promise<readonly number[]> {
  const [here, there] = memoryPair();
  const client = new Wire(transportLine(here), { plays: 'client', patience: 10_000 });
  const agent = new Wire(transportLine(there), { plays: 'agent', patience: 10_000 });
  agent.handle('session/prompt', ({ stopReason }) => (stopReason === 'silence' ? undefined : { stopReason }));
  const patience = new TurnPatience(full);
  const left: number[] = [];
  for (const stopReason of turns) {
    await patience.ask(client, { stopReason }).catch(() => undefined);
    left.push(patience.milliseconds);
  }
  await Promise.all([client.close(), agent.close()]);
  return left;
}

test('after three turns that do not end the next are given a tenth, until one ends', async () => {
  const left = await patienceAfter('silence', 'silence', 'silence', 'silence', 'end_turn', 'silence');
  expect(left).toEqual([full, full, full / 10, full / 10, full, full]);
});

test('after three sessions that do not begin the next are given a tenth, which nobody is blamed for, until one begins', async () => {
  const [here, there] = memoryPair();
  const client = new Wire(transportLine(here), { plays: 'client', patience: 10_000 });
  const agent = new Wire(transportLine(there), { plays: 'agent', patience: 10_000 });
  agent.handle('session/new', ({ cwd }) => (cwd === undefined ? undefined : { sessionId: 'one' }));
  const patience = new TurnPatience(full);
  const seen: unknown[] = [];
  for (const params of [{}, {}, {}, {}, { cwd: '/' }, {}]) {
    const broken = await patience.start(client, 'session/new', params).then(
      () => 'nothing',
      (error: unknown) => (error as Stopped).requirement,
    );
    seen.push([broken, patience.milliseconds]);
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

test('that we cancel turns does not say that turns end', async () => {
  const left = await patienceAfter('cancelled', 'silence', 'silence', 'cancelled', 'silence');
  expect(left).toEqual([full, full, full, full, full / 10]);
});

test('turns of which none ends are given a time altogether, and a glance when it is over', () => {
  const [within, over] = [new TurnPatience(full, 400), new TurnPatience(full, 0)];
  expect({ within: within.milliseconds <= 400, over: over.milliseconds }).toEqual({ within: true, over: 250 });
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

test('the reason says that no turn ended', async () => {
  const scenarios = agentScenarios.filter(({ id }) => id.startsWith('tool-calls/')).slice(0, 4);
  const { results } = await checkAgent(endlessAgent(), {
    scenarios,
    jobs: 1,
    patience: { answer: 10_000, turn: 1_000 },
    seed: 1,
  });
  const reasons = results.map(({ observations }) => [
    ...new Set(observations.flatMap(({ outcome, message }) => (outcome === 'unseen' ? [message] : []))),
  ]);
  const late = ['the turn did not end within 1 seconds'];
  expect(reasons).toEqual([late, late, late, ['the turn did not end within 0.1 seconds, and none before it within 1']]);
});

/** An agent in memory that begins sessions, and says nothing more. */
function silentAgent(): AgentSubject {
  return {
    name: 'silent',
    open: () => {
      const [client, transport] = memoryPair();
      const agent = new Wire(transportLine(transport), { plays: 'agent', patience: 10_000 });
      agent.handle('initialize', () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }));
      agent.handle('session/new', () => ({ sessionId: crypto.randomUUID() }));
      agent.handle('session/prompt', () => undefined);
      return Promise.resolve(transportLine(client));
    },
  };
}

test('an agent that never answers a prompt is judged to the end', async () => {
  const profiles = ['proposal', 'dialect', 'unstable'] as const;
  const patience = { answer: 500, turn: 500 };
  const { results } = await checkAgent(silentAgent(), { jobs: 10, patience, seed: 1, profiles });
  expect({
    scenarios: results.map(({ scenario }) => scenario),
    harnessErrors: results.flatMap(({ harnessError }) => harnessError ?? []),
  }).toEqual({
    scenarios: agentScenarios.filter(({ over }) => over === undefined).map(({ id }) => id),
    harnessErrors: [],
  });
});
