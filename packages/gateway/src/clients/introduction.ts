import {
  type ClientCapabilities,
  type InitializeResponse,
  protocolVersion,
  steeringAdvertised,
  type TurnwireMeta,
} from '@turnwire/protocol';
import type { AgentFacts } from '@turnwire/runtime';
import { turnwireMeta } from './turnwire-meta.ts';

/** Introduces the gateway as its agent, plus the extensions of the gateway. `connection` is the name of the client in events. */
export function initialized(
  { info, capabilities, authMethods, steering }: AgentFacts,
  connection: string,
): InitializeResponse {
  return {
    protocolVersion,
    ...(info && { agentInfo: info }),
    agentCapabilities: {
      ...capabilities,
      loadSession: true,
      sessionCapabilities: {
        ...capabilities.sessionCapabilities,
        list: {},
        resume: {},
        close: {},
        delete: {},
      },
      _meta: {
        ...capabilities._meta,
        turnwire: {
          cursors: true,
          events: true,
          batches: true,
          history: true,
          queue: true,
          states: true,
          roles: ['control', 'observe'],
          connection,
        } satisfies TurnwireMeta['initialize answer'],
      },
    },
    authMethods: [...authMethods],
    ...(steering && { _meta: steeringAdvertised }),
  };
}

/**
 * Removes files and terminals from a client's capabilities if the client leaves them to the gateway. It still advertises them, for agents that are
 * not a gateway.
 */
export function usedCapabilities(capabilities: ClientCapabilities): ClientCapabilities {
  if (turnwireMeta<'initialize'>(capabilities._meta).services !== false) return capabilities;
  const { fs: _files, terminal: _terminals, ...used } = capabilities;
  return used;
}
