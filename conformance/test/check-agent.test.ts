import { expect, test } from 'vitest';
import { within } from '../../tools/pace.ts';
import { checkAgent } from '../src/agent/check-agent.ts';
import type { Judgement } from '../src/verdict/judgement.ts';
import { agentHome, builtInAgentProcess } from './peers/built-in-agent.ts';
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
    const judgement = await checkAgent(builtInAgentProcess(home), { seed: 1 });
    expect(complaintsOf(judgement)).toEqual([]);
  },
  within(150_000),
);

test('that an agent can begin no session at all is held against it nowhere', async () => {
  const judgement = await checkAgent(unableAgent(), { seed: 1 });
  expect(complaintsOf(judgement)).toEqual([]);
});
