import type { AgentScenario } from '../../agent-scenario.ts';
import { cancelScenarios } from './cancel.ts';
import { elicitationScenarios } from './elicitation.ts';
import { filesScenarios } from './files.ts';
import { permissionScenarios } from './permission.ts';
import { promptTurnScenarios } from './prompt-turn.ts';
import { toolCallsScenarios } from './tool-calls.ts';

/** What happens from a prompt to its answer. */
export const turnsScenarios: readonly AgentScenario[] = [
  ...promptTurnScenarios,
  ...cancelScenarios,
  ...toolCallsScenarios,
  ...permissionScenarios,
  ...filesScenarios,
  ...elicitationScenarios,
];
