import type { AgentCapabilities } from '@turnwire/protocol';
import type { AgentDefinition } from './definition.ts';

/** What an agent advertises: what its definition holds. What it lacks is said by being empty (protocol: Initialization). */
export function capabilitiesOf<Memory>(definition: AgentDefinition<Memory>): AgentCapabilities {
  const { promptCapabilities, mcpCapabilities, capabilitiesMeta, additionalDirectories, store, auth } = definition;
  return {
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
}
