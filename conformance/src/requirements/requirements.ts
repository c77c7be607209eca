import type { Requirement } from './requirement.ts';
import entries from './requirements.json' with { type: 'json' };

/**
 * Every requirement, in the order of the sections. Quotes are of the schema and of the pages in `docs` of
 * `agentclientprotocol/agent-client-protocol` at commit b7f0005493b98de32fabee3e9540e2b64da68535.
 */
export const requirements: readonly Requirement[] = entries as readonly Requirement[];
