import type { ChosenModel } from '../model/model.ts';
import type { ContextRoom } from './context-room.ts';
import type { RepetitionGuard } from './repetition-guard.ts';
import type { TurnLimits } from './turn-limits.ts';
import type { TurnTroubles } from './turn-troubles.ts';

/** What a turn of the loop works with. */
export interface Loop {
  readonly chosen: ChosenModel;
  /** What the model is told before anything else, as it is now: the mode may change within a turn. */
  readonly system: () => string;
  readonly limits: TurnLimits;
  readonly troubles: TurnTroubles;
  readonly repetition: RepetitionGuard;
  readonly room: ContextRoom;
}
