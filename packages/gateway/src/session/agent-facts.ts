import type { AgentCapabilities, AuthMethod, Implementation } from '@turnwire/protocol';

/** What an agent offers, as it said in `initialize`. */
export interface AgentOffers {
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
}

/** What an agent said in `initialize`, as far as clients of the gateway need it. */
export interface AgentFacts extends AgentOffers {
  readonly info: Implementation | undefined;
}

/** What is said before an agent runs: it may offer anything that passes through a gateway, and refuses what it does not. */
export const unknownAgent: AgentFacts = {
  info: undefined,
  capabilities: {
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { additionalDirectories: {} },
  },
  authMethods: [],
};
