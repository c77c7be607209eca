import type { Agent } from '@turnwire/client';
import { type Implementation, isSteerable } from '@turnwire/protocol';
import type { HostedAgent } from './hosted-agent.ts';
import { withForkPoints } from './fork-point.ts';
import type { AgentOffers } from './agent-state.ts';
import { shownLogins } from './shown-logins.ts';

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

/** What an agent offers through a gateway. */
export function offersOf({ capabilities, authMethods, peer }: Agent, hosted: HostedAgent): AgentOffers {
  return {
    capabilities: withForkPoints(capabilities, hosted.differences),
    authMethods: shownLogins(authMethods, hosted),
    ...(isSteerable(peer.remote) && { steering: true }),
  };
}
