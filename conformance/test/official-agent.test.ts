import { expect, test } from 'vitest';
import { checkAgent } from '../src/agent/check-agent.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { officialAgent, officialAgentProcess } from './peers/official-agent.ts';

test('an agent made with the official SDK is reported for what it does not do, and for nothing else', async () => {
  const beforeSessions = agentScenarios.slice(
    0,
    agentScenarios.findIndex(({ id }) => id.startsWith('new-session/')),
  );
  // What has to do with starting and ending needs a process; the rest shows the same without one.
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
    findings: [
      'agentCapabilities does not say anything of promptCapabilities, mcpCapabilities, auth, sessionCapabilities',
    ],
  };
  expect(reported).toEqual([
    [vague],
    [
      vague,
      {
        id: 'R136',
        level: 'DERIVED',
        findings: [
          'a prompt with image was taken, though promptCapabilities.image is not true',
          'a prompt with audio was taken, though promptCapabilities.audio is not true',
          'a prompt with resource was taken, though promptCapabilities.embeddedContext is not true',
        ],
      },
    ],
  ]);
});
