import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAgentScenario } from '../src/agent/run-agent-scenario.ts';
import { agentScenarios } from '../src/agent/scenarios/scenarios.ts';
import { defaultSteering } from '../src/agent/steering.ts';
import { inventing, misanswering } from './mutants/agent/sessions/defects.ts';
import { type Defect, mutantAgent } from './mutants/mutant-line.ts';
import { type AgentHome, agentHome, builtInAgent } from './peers/built-in-agent.ts';

let home: AgentHome;
beforeAll(async () => {
  home = await agentHome();
});
afterAll(() => home[Symbol.asyncDispose]());

/** Agents without an opportunity to break a requirement: that must not count as a pass. */
const cases: readonly { name: string; scenario: string; requirement: string; why: string; defect: Defect }[] = [
  {
    name: 'refuses all sessions, before initialize and afterwards',
    scenario: 'initialize/first',
    requirement: 'R031',
    why: 'the agent requires a login: log in, or name a method with --auth-method',
    defect: inventing('session/new', () => ({ error: { code: -32_000, message: 'log in' } })),
  },
  {
    name: 'has no terminal login for any client',
    scenario: 'authentication/terminal',
    requirement: 'R061',
    why: 'the agent has no terminal login',
    defect: misanswering(['initialize'], (result) => ({ ...result, authMethods: [] })),
  },
  {
    name: 'refuses every mode',
    scenario: 'modes/set',
    requirement: 'R250',
    why: 'session/set_mode was refused: no',
    defect: inventing('session/set_mode', () => ({ error: { code: -32_601, message: 'no' } })),
  },
  {
    name: 'refuses every value',
    scenario: 'config-options/set',
    requirement: 'R269',
    why: 'session/set_config_option was refused: no',
    defect: inventing('session/set_config_option', () => ({ error: { code: -32_602, message: 'no' } })),
  },
  {
    name: 'sends no updates and does not end a turn normally',
    scenario: 'prompt-turn/answer',
    requirement: 'R139',
    why: 'the turn ended with "max_tokens"',
    defect: inventing('session/prompt', () => ({ result: { stopReason: 'max_tokens' } })),
  },
];

test.each(cases)(
  'no requirement passes for an agent that $name',
  async ({ scenario: id, requirement, why, defect }) => {
    const scenario = agentScenarios.find((known) => known.id === id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    const settings = { steering: defaultSteering, timeouts: { answer: 10_000, turn: 30_000 }, seed: 1 };
    const { observations } = await runAgentScenario(mutantAgent(builtInAgent(home), defect), scenario, settings);
    const said = observations.filter((observation) => observation.requirement === requirement);
    expect([...new Set(said.map(({ outcome, message }) => `${outcome}: ${message}`))]).toEqual([`unseen: ${why}`]);
  },
);
