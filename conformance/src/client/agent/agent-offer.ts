import type { RawMessage } from '../../wire/messages.ts';

/** What the agent that is played says of itself, and what its sessions begin with. */
export interface AgentOffer {
  readonly capabilities: RawMessage;
  readonly authMethods: readonly unknown[];
  /** Joins what `session/new`, `session/load` and `session/resume` answer: `modes`, `configOptions`. */
  readonly setup: RawMessage;
  /** What `session/list` answers with. */
  readonly sessions: readonly RawMessage[];
}

/** Nothing beyond what every agent can do. */
export const bareAgent: AgentOffer = { capabilities: {}, authMethods: [], setup: {}, sessions: [] };

/** Everything an agent can offer. */
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

/** The id of a session that an agent keeps. */
export const keptSession = 'kept by the agent/0001 ä';
