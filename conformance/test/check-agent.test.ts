import { expect, test } from 'vitest';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentHome, builtInAgentProcess } from './peers/built-in-agent.ts';

test('the built-in agent conforms', async () => {
  await using home = await agentHome();
  const { results } = await checkAgent(await builtInAgentProcess(home), { seed: 1 });
  const seen = results.flatMap(({ scenario, observations, mishap }) => [
    ...(mishap === undefined ? [] : [{ scenario, mishap }]),
    ...observations
      .filter(({ outcome }) => outcome === 'broken')
      .map(({ requirement, message }) => ({ scenario, requirement, message })),
  ]);
  expect(seen).toEqual([]);
}, 300_000);
