import type { ContentBlock } from '@turnwire/protocol';
import type { TurnEnd } from '@turnwire/runtime';
import { turnEndText } from '@turnwire/client/view';
import { exitCodes } from '../exit-codes.ts';
import { warn } from '../failure.ts';
import type { Stopping } from '../stopping.ts';
import type { SessionPort } from './session-port.ts';

/** The exit codes for the ways in which an agent ends a turn. */
const endCodes: Readonly<Record<string, number | undefined>> = {
  end_turn: exitCodes.ok,
  refusal: exitCodes.refused,
  max_tokens: exitCodes.tooLong,
  max_turn_requests: exitCodes.tooManyCalls,
  cancelled: exitCodes.interrupted,
};

const noModel =
  'there is no language model, and the offline model did not understand the prompt. Run turnwire coder login, set ANTHROPIC_API_KEY or another key, or choose a model with --model';

const stoppedCodes = { seconds: exitCodes.timeout, rules: exitCodes.denied };

/**
 * Runs a turn to its end. `stopping` cancels it, but its end is awaited all the same. Prints to stderr how it ended if that is unusual. Resolves with
 * the exit code of a command that ends with the turn.
 * @param how `end`: called at the end of the turn, before that is printed
 */
export async function runTurn(
  session: SessionPort,
  content: readonly ContentBlock[],
  { stopping, end }: { readonly stopping: Stopping; readonly end: () => void },
): Promise<number> {
  const { notice, code } = endingOf(await session.prompt(content, stopping.signal).finally(end));
  if (notice !== undefined && !stopping.reason) warn(notice);
  return code;
}

/** How a turn ended, in words and as an exit code. */
function endingOf({ stopReason, meta, decisions, stopped }: Omit<TurnEnd, 'turnId'>): {
  readonly notice: string | undefined;
  readonly code: number;
} {
  // A warning of the session has said which limit was reached.
  if (stopped?.reason === 'budget') return { notice: undefined, code: exitCodes.overBudget };
  if (stopped) return { notice: stopped.message, code: stoppedCodes[stopped.reason] };
  if (meta?.['noModel'] === true) return { notice: noModel, code: exitCodes.noModel };
  const isDenied = decisions !== undefined && decisions.asked > 0 && decisions.allowed === 0;
  return {
    notice: turnEndText(stopReason),
    code: isDenied ? exitCodes.denied : (endCodes[stopReason] ?? exitCodes.error),
  };
}
