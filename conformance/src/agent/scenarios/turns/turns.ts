import type { AgentScenario } from '../../agent-scenario.ts';

export const turnsScenarios: readonly AgentScenario[] = [];
