import type { ClientScenario } from '../../client-scenario.ts';

/** What a client offers its agent: files, terminals, permission, questions; and what it is told of modes, options, plans and notices. */
export const hostScenarios: readonly ClientScenario[] = [];
