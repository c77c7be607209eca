import type { AgentScenario } from '../../agent-scenario.ts';
import { authenticationScenarios } from './authentication.ts';
import { cancelRequestScenarios } from './cancel-request.ts';
import { capabilityScenarios } from './capabilities.ts';
import { contentScenarios } from './content.ts';
import { framingScenarios } from './framing.ts';
import { handshakeScenarios } from './handshake.ts';
import { jsonRpcScenarios } from './json-rpc.ts';
import { shutdownScenarios, stdoutScenarios } from './process.ts';

/** Framing, JSON-RPC, the handshake, logins, extensions: what comes before any session, and the end. */
export const protocolScenarios: readonly AgentScenario[] = [
  ...framingScenarios,
  ...stdoutScenarios,
  ...jsonRpcScenarios,
  ...handshakeScenarios,
  ...capabilityScenarios,
  ...contentScenarios,
  ...authenticationScenarios,
  ...cancelRequestScenarios,
  ...shutdownScenarios,
];
