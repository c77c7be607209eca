import type { RawMessage } from '../../wire/messages.ts';

/** What the simulated agent advertises, and how its sessions begin. */
export interface AgentOffer {
  readonly capabilities: RawMessage;
  readonly authMethods: readonly unknown[];
  /** Fields to add to the results of `session/new`, `session/load` and `session/resume`: `modes`, `configOptions`. */
  readonly setup: RawMessage;
  /** The result of `session/list`. */
  readonly sessions: readonly RawMessage[];
}

/** An agent without optional capabilities. */
export const bareAgent: AgentOffer = { capabilities: {}, authMethods: [], setup: {}, sessions: [] };

/** An agent with every capability. */
export const fullAgent: AgentOffer = {
  capabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    auth: { logout: {} },
  },
  authMethods: [],
  setup: {},
  sessions: [],
};

/** The id of a session that the agent has stored. */
export const keptSession = 'kept by the agent/0001 ä';
