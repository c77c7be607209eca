import type { AgentScenario } from '../../agent-scenario.ts';
import { cancelScenarios } from './cancel.ts';
import { contentScenarios } from './content.ts';
import { elicitationScenarios } from './elicitation.ts';
import { filesScenarios } from './files.ts';
import { noticesAndCompactionScenarios } from './notices-and-compaction.ts';
import { permissionScenarios } from './permission.ts';
import { planScenarios } from './plan.ts';
import { promptTurnScenarios } from './prompt-turn.ts';
import { terminalsScenarios } from './terminals.ts';
import { toolCallsScenarios } from './tool-calls.ts';

/** What happens from a prompt to its answer. */
export const turnsScenarios: readonly AgentScenario[] = [
  ...promptTurnScenarios,
  ...cancelScenarios,
  ...toolCallsScenarios,
  ...permissionScenarios,
  ...filesScenarios,
  ...terminalsScenarios,
  ...contentScenarios,
  ...planScenarios,
  ...elicitationScenarios,
  ...noticesAndCompactionScenarios,
];
