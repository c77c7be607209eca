import type { ClientScenario } from '../client-scenario.ts';
import { framingScenarios } from './framing.ts';
import { hostScenarios } from './host/host.ts';

/** Everything a client is put through, in the order of a report. */
export const clientScenarios: readonly ClientScenario[] = [...framingScenarios, ...hostScenarios];
