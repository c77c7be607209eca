import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import type { AgentScenario } from '../src/agent/agent-context.ts';
import { commandSubject } from '../src/agent/agent-subject.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { probeAgent } from '../src/agent/probe-agent.ts';
import { runAgentScenario } from '../src/agent/run-agent-scenario.ts';
import { defaultSteering } from '../src/agent/steering.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import type { Line } from '../src/wire/line.ts';
import { scenariosIn } from '../src/judge/scenario.ts';
import { faultsOf } from './judgements.ts';
import { agentHome, builtInAgent, builtInAgentProcess } from './peers/built-in-agent.ts';
import { unableAgent } from './peers/unable-agent.ts';

test(
  'the built-in agent conforms',
  async () => {
    await using home = await agentHome();
    // Scenarios about bytes, start and exit need a process. The others show the same without one in a tenth of the time.
    const profiles = ['proposal', 'dialect', 'unstable'] as const;
    const ofProcesses = scenariosIn(1, agentScenarios).filter(({ over }) => over === undefined);
    const aboutThem = /^(?:framing|stdout|json-rpc|initialize|authentication|shutdown)\//;
    const bytes = ofProcesses.filter(({ id }) => aboutThem.test(id));
    const others = ofProcesses.filter((scenario) => !bytes.includes(scenario));
    const asProcess = await checkAgent(builtInAgentProcess(home), { seed: 1, profiles, scenarios: bytes });
    const inThisProcess = await checkAgent(builtInAgent(home), { seed: 1, profiles, scenarios: others });
    expect([asProcess, inThisProcess].flatMap(faultsOf)).toEqual([]);
    expect([...asProcess.results, ...inThisProcess.results].map(({ scenario }) => scenario).toSorted()).toEqual(
      ofProcesses.map(({ id }) => id).toSorted(),
    );
  },
  within(150_000),
);

test('an agent that does not answer initialize is closed after the timeout', async () => {
  const happened: string[] = [];
  const close = (): Promise<void> => Promise.resolve(void happened.push('closed'));
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const line: Line = { start: () => undefined, send: () => isAsked(), close };
  const meeting = probeAgent({ name: 'mute', open: () => Promise.resolve(line) }, { version: 1, timeout: 50 });
  await asked;
  // Timers fire in the order in which they are due, however late.
  await new Promise<void>((resolve) => setTimeout(resolve, 100));
  happened.push('later');
  expect([await meeting, happened[0]]).toEqual([
    { unreachable: 'initialize was not answered in time: --timeout sets a longer time' },
    'closed',
  ]);
});

test.each([
  [3, ['R368 broken the agent ended with exit code 3 while its client was connected']],
  [0, []],
])(
  'an agent that exits with code %i while its client is connected breaks R368 unless the code is 0',
  async (code, expected) => {
    const agent = `process.stdin.once('data', () => {
    console.log('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}');
    process.exitCode = ${code};
    process.stdin.destroy();
  })`;
    const scenario: AgentScenario = {
      id: 'test/quiet',
      title: 'an agent keeps running while nothing happens',
      covers: [],
      run: async (context) => {
        const wire = await context.open();
        await context.initialize(wire);
        await wire.quiet(within(10_000));
      },
    };
    const settings = { steering: defaultSteering, timeouts: { answer: 10_000, turn: 10_000 }, seed: 1 };
    const { observations } = await runAgentScenario(
      commandSubject([process.execPath, '-e', agent]),
      scenario,
      settings,
    );
    const seen = observations.filter(({ requirement }) => requirement === 'R368');
    expect(seen.map(({ requirement, outcome, message }) => `${requirement} ${outcome} ${message}`)).toEqual(expected);
  },
);

test('a repeated scenario gives the agent a new home folder, without files of other runs', async () => {
  const agent = `process.stdin.once('data', () => {
    const { readdirSync, writeFileSync } = require('node:fs');
    const isFirst = !readdirSync(process.env.HOME).includes('used');
    writeFileSync(process.env.HOME + '/used', '');
    console.log(JSON.stringify({ jsonrpc: '2.0', id: 0, result: { protocolVersion: isFirst ? 1 : 'used' } }));
  })`;
  const home = await mkdtemp(join(tmpdir(), 'turnwire-home-'));
  const subject = commandSubject([process.execPath, '-e', agent], { ...process.env, HOME: home });
  const scenarios = agentScenarios.filter(({ id }) => id === 'initialize/answer');
  const { verdicts } = await checkAgent(subject, { scenarios, seed: 1 });
  const verdict = verdicts.find(({ requirement: { id } }) => id === 'R039');
  const once = verdict?.findings.every(({ message }) =>
    message.endsWith(': only once, not when the scenario was run again alone'),
  );
  expect([verdict?.outcome, verdict?.findings.length, once]).toEqual(['passed', 1, true]);
});

test('an agent that cannot create sessions is not blamed in any scenario', async () => {
  const judgement = await checkAgent(unableAgent(), { seed: 1, profiles: ['proposal', 'dialect', 'unstable'] });
  expect(faultsOf(judgement)).toEqual([]);
});
