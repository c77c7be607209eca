import { expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import { protocolScenarios } from '../src/agent/scenarios/protocol/protocol.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import type { Judgement } from '../src/verdict/judgement.ts';
import { agentHome, builtInAgent, builtInAgentProcess } from './peers/built-in-agent.ts';
import { unableAgent } from './peers/unable-agent.ts';

/** What a judgement has against the agent, and against the kit. */
function complaintsOf({ results }: Judgement): readonly object[] {
  return results.flatMap(({ scenario, observations, harnessError }) => [
    ...(harnessError === undefined ? [] : [{ scenario, harnessError }]),
    ...observations
      .filter(({ outcome }) => outcome === 'broken' || outcome === 'broken once')
      .map(({ requirement, message }) => ({ scenario, requirement, message })),
  ]);
}

test(
  'the built-in agent conforms',
  async () => {
    await using home = await agentHome();
    // What has to do with bytes, starting and ending needs a process; the rest shows the same without one, in a tenth of the time.
    const ofProcesses = agentScenarios.filter(({ over }) => over === undefined);
    const others = ofProcesses.filter((scenario) => !protocolScenarios.includes(scenario));
    const asProcess = await checkAgent(builtInAgentProcess(home), { seed: 1, scenarios: protocolScenarios });
    const inThisProcess = await checkAgent(builtInAgent(home), { seed: 1, scenarios: others });
    expect([asProcess, inThisProcess].flatMap(complaintsOf)).toEqual([]);
    expect([...asProcess.results, ...inThisProcess.results].map(({ scenario }) => scenario).toSorted()).toEqual(
      ofProcesses.map(({ id }) => id).toSorted(),
    );
  },
  within(150_000),
);

test('that an agent can begin no session at all is held against it nowhere', async () => {
  const judgement = await checkAgent(unableAgent(), { seed: 1 });
  expect(complaintsOf(judgement)).toEqual([]);
});
