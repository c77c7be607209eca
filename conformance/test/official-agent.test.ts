import { expect, test } from 'vitest';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { officialAgent, officialAgentProcess } from './peers/official-agent.ts';

test('an agent with the official SDK breaks only the known requirements', async () => {
  const beforeSessions = agentScenarios.slice(
    0,
    agentScenarios.findIndex(({ id }) => id.startsWith('new-session/')),
  );
  // Scenarios about start and exit need a process; the others show the same without one.
  const ofProcesses = beforeSessions.filter(({ id }) => /^(?:framing|stdout|shutdown)\//.test(id));
  const judged = [
    await checkAgent(officialAgentProcess(), { scenarios: ofProcesses, seed: 1 }),
    await checkAgent(officialAgent(), {
      scenarios: beforeSessions.filter((each) => !ofProcesses.includes(each)),
      seed: 1,
    }),
  ];
  const reported = judged.map(({ verdicts }) =>
    verdicts.flatMap(({ outcome, requirement: { id, level }, findings }) =>
      outcome === 'failed' ? [{ id, level, findings: findings.map(({ message }) => message) }] : [],
    ),
  );
  const vague = {
    id: 'R045',
    level: 'SHOULD',
    findings: ['agentCapabilities does not mention promptCapabilities, mcpCapabilities, auth, sessionCapabilities'],
  };
  expect(reported).toEqual([
    [vague],
    [
      vague,
      {
        id: 'R136',
        level: 'DERIVED',
        findings: [
          'a prompt with image was accepted although image is not advertised',
          'a prompt with audio was accepted although audio is not advertised',
          'a prompt with resource was accepted although embeddedContext is not advertised',
        ],
      },
    ],
  ]);
});
