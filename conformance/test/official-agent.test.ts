import { expect, test } from 'vitest';
import { checkAgent } from '../src/agent/check-agent.ts';
import { protocolScenarios } from '../src/agent/scenarios/protocol/protocol.ts';
import { officialAgent } from './peers/official-agent.ts';

test('an agent made with the official SDK is reported for what it does not do, and for nothing else', async () => {
  const { verdicts } = await checkAgent(officialAgent(), { scenarios: protocolScenarios, seed: 1 });
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed');
  const reported = failed.map(({ requirement: { id, level }, findings }) => ({
    id,
    level,
    findings: findings.map(({ scenario, message }) => `${scenario}: ${message}`),
  }));
  expect(reported).toEqual([]);
}, 120_000);
