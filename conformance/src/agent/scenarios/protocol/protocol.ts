import type { AgentScenario } from '../../agent-scenario.ts';
import { initializeScenarios } from './initialize.ts';

/** Framing, JSON-RPC, the handshake, logins, extensions: what comes before any session. */
export const protocolScenarios: readonly AgentScenario[] = [...initializeScenarios];
