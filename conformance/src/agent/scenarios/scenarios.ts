import type { AgentScenario } from '../agent-scenario.ts';
import { protocolScenarios } from './protocol/protocol.ts';
import { httpScenarios } from './remote/http.ts';
import { webSocketScenarios } from './remote/websocket.ts';
import { sessionsScenarios } from './sessions/sessions.ts';
import { turnsScenarios } from './turns/turns.ts';

/** Everything an agent is put through, in the order of a report. */
export const agentScenarios: readonly AgentScenario[] = [
  ...protocolScenarios,
  ...sessionsScenarios,
  ...turnsScenarios,
  ...httpScenarios,
  ...webSocketScenarios,
];
