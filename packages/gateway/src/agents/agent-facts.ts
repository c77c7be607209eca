import type { AgentCapabilities, AuthMethod, Implementation } from '@turnwire/protocol';

/** What an agent said in `initialize`, as far as clients of the gateway need it. */
export interface AgentFacts {
  readonly info: Implementation | undefined;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
}
