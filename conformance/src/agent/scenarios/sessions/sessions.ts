import type { AgentScenario } from '../../agent-scenario.ts';
import { commandScenarios } from './commands.ts';
import { configOptionScenarios } from './config-options.ts';
import { keptSessionScenarios } from './kept-sessions.ts';
import { listScenarios } from './list.ts';
import { loadScenarios } from './load.ts';
import { mcpScenarios } from './mcp.ts';
import { modeScenarios } from './modes.ts';
import { newSessionScenarios } from './new-session.ts';
import { rootScenarios } from './roots.ts';
import { sharedScenarios } from './shared.ts';

/** Sessions: how they begin, their parameters, how they are stored and restored; their modes, options and commands. */
export const sessionsScenarios: readonly AgentScenario[] = [
  ...newSessionScenarios,
  ...rootScenarios,
  ...mcpScenarios,
  ...loadScenarios,
  ...keptSessionScenarios,
  ...listScenarios,
  ...sharedScenarios,
  ...modeScenarios,
  ...configOptionScenarios,
  ...commandScenarios,
];
