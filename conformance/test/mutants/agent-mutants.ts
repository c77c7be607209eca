import { protocolMutants } from './agent/protocol/protocol.ts';
import { sessionsMutants } from './agent/sessions/sessions.ts';
import { turnsMutants } from './agent/turns/turns.ts';
import { lastingMutants } from './agent/lasting.ts';
import { restoredMutants } from './agent/restored.ts';
import type { Mutant } from './mutant-line.ts';

/** Agents with one defect each. */
export const agentMutants: readonly Mutant[] = [
  ...protocolMutants,
  ...sessionsMutants,
  ...turnsMutants,
  ...restoredMutants,
  ...lastingMutants,
];
