import type { CheckedVersion } from '../../requirements/requirement.ts';
import type { RawMessage } from '../../wire/messages.ts';

/** The capabilities and logins of the simulated agent, and the content of its sessions. */
export interface AgentOffer {
  readonly capabilities: RawMessage;
  readonly authMethods: readonly unknown[];
  /** Fields to add to the results of `session/new`, `session/load` and `session/resume`: `modes`, `configOptions`. */
  readonly setup: RawMessage;
  /** The result of `session/list`. */
  readonly sessions: readonly RawMessage[];
}

/** The capabilities of an agent without optional ones. */
export const bareCapabilities: Readonly<Record<CheckedVersion, RawMessage>> = { 1: {}, 2: { session: {} } };

/** All capabilities. */
export const allCapabilities: Readonly<Record<CheckedVersion, RawMessage>> = {
  1: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    auth: { logout: {} },
  },
  2: {
    session: {
      prompt: { image: {}, audio: {}, embeddedContext: {} },
      mcp: { stdio: {}, http: {} },
      ...{ delete: {}, additionalDirectories: {} },
    },
  },
};

/** The id of a session that the agent has stored. */
export const keptSession = 'kept by the agent/0001 ä';
