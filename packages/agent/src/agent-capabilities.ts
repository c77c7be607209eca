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
      // An unstable capability, which the stable type lacks.
      ...(offersForks(definition) && { fork: { _meta: { turnwire: { withoutLast: true } } } }),
      ...(additionalDirectories && { additionalDirectories: {} }),
    },
    auth: { ...(auth?.logout && { logout: {} }) },
    ...(capabilitiesMeta && { _meta: { ...capabilitiesMeta } }),
  };
  return mergeCapabilities(derived, definition.capabilities);
}

/** Whether sessions can be forked. */
export function offersForks<Memory>({ sessionForked, edition, store }: AgentDefinition<Memory>): boolean {
  return Boolean(sessionForked && store?.read && edition && 'session/fork' in edition.methods);
}

/** Whether sessions can be forked in version 2. */
export function offersForksInV2<Memory>({ editionV2, ...definition }: AgentDefinition<Memory>): boolean {
  return offersForks({ ...definition, edition: editionV2 as typeof definition.edition });
}
