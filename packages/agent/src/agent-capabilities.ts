import type { AgentCapabilities } from '@agentwire/protocol';
import type { AgentDefinition } from './definition.ts';

/** What an agent advertises: what its definition holds. */
export function capabilitiesOf<Memory>(definition: AgentDefinition<Memory>): AgentCapabilities {
  const { promptCapabilities, mcpCapabilities, additionalDirectories, store, auth } = definition;
  return {
    ...(store && { loadSession: true }),
    ...(promptCapabilities && { promptCapabilities }),
    ...(mcpCapabilities && { mcpCapabilities }),
    sessionCapabilities: {
      close: {},
      ...(store && { list: {}, resume: {}, delete: {} }),
      ...(additionalDirectories && { additionalDirectories: {} }),
    },
    ...(auth?.logout && { auth: { logout: {} } }),
  };
}
