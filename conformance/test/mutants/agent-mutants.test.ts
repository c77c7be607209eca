import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgentScenario } from '../../src/agent/run-agent-scenario.ts';
import { agentScenarios } from '../../src/agent/scenarios/scenarios.ts';
import { defaultSteering } from '../../src/agent/steering.ts';
import { type AgentHome, agentHome, builtInAgent } from '../peers/built-in-agent.ts';
import { agentMutants } from './agent-mutants.ts';
import { mutantAgent } from './mutant-line.ts';

const settings = { steering: defaultSteering, patience: { answer: 2_000, turn: 10_000 }, seed: 1 };
let home: AgentHome;
beforeAll(async () => void (home = await agentHome()));
afterAll(() => home[Symbol.asyncDispose]());

describe('a mutant is caught: an agent that', () => {
  test.each(agentMutants)('$name', async ({ scenario: id, breaks, defect }) => {
    const scenario = agentScenarios.find((known) => known.id === id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    const subject = builtInAgent(home);
    const brokenBy = async (judged: typeof subject): Promise<readonly string[]> => {
      const { observations, mishap } = await runAgentScenario(judged, scenario, settings);
      expect(mishap).toBe(undefined);
      return observations.filter(({ outcome }) => outcome === 'broken').map(({ requirement }) => requirement);
    };
    expect({ without: await brokenBy(subject), with: await brokenBy(mutantAgent(subject, defect)) }).toEqual({
      without: [],
      with: expect.arrayContaining([breaks]),
    });
  });
});

test('every scenario has a mutant', () => {
  const caught = new Set(agentMutants.map(({ scenario }) => scenario));
  expect(agentScenarios.filter(({ id }) => !caught.has(id)).map(({ id }) => id)).toEqual([]);
});
