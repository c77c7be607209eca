import type { TurnEndEntry } from '../transcript/transcript-view.ts';

/** Reasons for which turns end early, with advice for the user. */
const reasons: Readonly<Record<string, string | undefined>> = {
  cancelled: 'the turn was cancelled',
  max_tokens: 'the agent stopped: its model reached the limit of tokens; ask it to continue',
  max_turn_requests: 'the agent stopped: it reached its limit of model calls in one turn; ask it to continue',
  refusal:
    'the agent refused to continue; the prompt and everything after it will not be part of the conversation: ask differently',
};

/**
 * The reason and the advice for a turn that ended early, as a clause without a full stop: `the turn was cancelled`. Undefined for a turn that the
 * agent completed. Names unknown reasons as received.
 */
export function turnEndText(stopReason: string | undefined): string | undefined {
  if (stopReason === undefined || stopReason === 'end_turn') return undefined;
  return Object.hasOwn(reasons, stopReason)
    ? reasons[stopReason]
    : `the agent ended the turn for an unknown reason: ${stopReason}`;
}

/** A way to continue after a turn. */
export type NextStep = 'retry' | 'continue';

/**
 * How the user can continue after a turn that did not end as it should: `retry` sends its prompt again, `continue` asks the agent to continue. Empty
 * after a turn that the agent completed, refused, or ended for an unknown reason.
 */
export function nextSteps({ stopReason, error }: Pick<TurnEndEntry, 'stopReason' | 'error'>): readonly NextStep[] {
  if (error !== undefined) return ['retry', 'continue'];
  const isCut = stopReason === 'cancelled' || stopReason === 'max_tokens' || stopReason === 'max_turn_requests';
  return isCut ? ['continue'] : [];
}

/** A clause as a sentence: `The turn was cancelled.` */
export function asSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
