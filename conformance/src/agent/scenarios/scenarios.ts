import type { AgentScenario } from '../agent-scenario.ts';
import { initializeScenarios } from './initialize.ts';

/** Everything an agent is put through, in the order of a report. */
export const agentScenarios: readonly AgentScenario[] = [...initializeScenarios];
