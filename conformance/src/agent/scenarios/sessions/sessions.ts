import type { AgentScenario } from '../../agent-scenario.ts';

export const sessionsScenarios: readonly AgentScenario[] = [];
