import { mergeCapabilities } from '@turnwire/protocol';
import type { AgentCapabilities } from '@turnwire/protocol';
import type { AgentDefinition } from './definition.ts';

/** Derives the advertised capabilities from the definition. A missing capability is an empty object (protocol: Initialization). */
export function capabilitiesOf<Memory>(definition: AgentDefinition<Memory>): AgentCapabilities {
  const { promptCapabilities, mcpCapabilities, capabilitiesMeta, additionalDirectories, store, auth } = definition;
  const derived: AgentCapabilities = {
    loadSession: store !== undefined,
    promptCapabilities: promptCapabilities ?? {},
    mcpCapabilities: mcpCapabilities ?? {},
    sessionCapabilities: {
      close: {},
      ...(store && { list: {}, resume: {}, delete: {} }),
      ...(additionalDirectories && { additionalDirectories: {} }),
    },
    auth: { ...(auth?.logout && { logout: {} }) },
    ...(capabilitiesMeta && { _meta: { ...capabilitiesMeta } }),
  };
  return mergeCapabilities(derived, definition.capabilities);
}
