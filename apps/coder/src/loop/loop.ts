import type { ChosenModel } from '../model/model.ts';
import type { ContextBudget } from '../compaction/context-budget.ts';
import type { RepetitionGuard } from './repetition-guard.ts';
import type { TurnLimits } from './turn-limits.ts';
import type { TurnDefects } from './turn-defects.ts';

/** The state of a turn in the loop. */
export interface Loop {
  readonly chosen: ChosenModel;
  /** The current system prompt: the mode may change within a turn. */
  readonly system: () => string;
  readonly limits: TurnLimits;
  readonly warnings: TurnDefects;
  readonly repetition: RepetitionGuard;
  readonly budget: ContextBudget;
  /** Of a sub-agent: whether it has a tool. Absent: it has all tools, those that start sub-agents too. */
  readonly allows?: ((name: string) => boolean) | undefined;
}
