import { unstableChecks, unstableShapes } from '@turnwire/protocol/unstable';
import type * as types from '../generated/v1-unstable-types.ts';
import { guardsOf, type GuardsOf } from './guards.ts';

const edition = { checks: unstableChecks, shapes: unstableShapes };

/** The state of a subagent or a session. */
export type StateUpdate = types.StateUpdate;
/** Which state it is. */
export const StateUpdate: GuardsOf<types.StateUpdate, 'state'> = guardsOf(edition, 'StateUpdate');

/** The state of one that does not work. */
export type IdleStateUpdate = types.IdleStateUpdate;
/** Why it does not work any more. */
export const IdleStateUpdate: GuardsOf<types.IdleStateUpdate, 'stopReason', 'None'> = guardsOf(
  edition,
  'IdleStateUpdate',
  'None',
);
