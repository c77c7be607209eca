import type { AgentScenario } from '../../agent-scenario.ts';
import { authenticationScenarios } from './authentication.ts';
import { cancelRequestScenarios } from './cancel-request.ts';
import { capabilityScenarios } from './capabilities.ts';
import { contentScenarios } from './content.ts';
import { framingScenarios } from './framing.ts';
import { idScenarios } from './ids.ts';
import { initializeScenarios } from './initialize.ts';
import { jsonRpcErrorScenarios } from './json-rpc-errors.ts';
import { metadataScenarios } from './metadata.ts';
import { methodScenarios } from './methods.ts';
import { notificationScenarios } from './notifications.ts';
import { shutdownScenarios } from './shutdown.ts';
import { stdoutScenarios } from './stdout.ts';
import { versionScenarios } from './versions.ts';
import { wrongTypeScenarios } from './wrong-types.ts';

/** Framing, JSON-RPC, the handshake, logins, extensions: what comes before any session, and the end. */
export const protocolScenarios: readonly AgentScenario[] = [
  ...framingScenarios,
  ...stdoutScenarios,
  ...idScenarios,
  ...notificationScenarios,
  ...jsonRpcErrorScenarios,
  ...wrongTypeScenarios,
  ...initializeScenarios,
  ...versionScenarios,
  ...capabilityScenarios,
  ...contentScenarios,
  ...methodScenarios,
  ...authenticationScenarios,
  ...metadataScenarios,
  ...cancelRequestScenarios,
  ...shutdownScenarios,
];
