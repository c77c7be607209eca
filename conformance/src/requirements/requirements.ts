import entries from './requirements.json' with { type: 'json' };
import type { Requirement } from './requirement.ts';

/** All requirements, in the order of the sections. */
export const requirements: readonly Requirement[] = entries as readonly Requirement[];

/** The commit of `agentclientprotocol/agent-client-protocol` whose pages, in its folder `docs`, and schema are quoted. */
export const sourceCommit = 'b7f0005493b98de32fabee3e9540e2b64da68535';
