import type { TurnEnd } from '@turnwire/runtime';
import { turnEndText } from '@turnwire/client/view';
import { exitCodes } from '../exit-codes.ts';
import { warn } from '../failure.ts';
import type { Stopping } from '../stopping.ts';

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

const stoppedCodes = { seconds: exitCodes.timeout, cost: exitCodes.tooExpensive, rules: exitCodes.denied };

/**
 * Runs a turn to its end; an abort of `stopping` cancels it, and the function waits for its end. Prints to stderr how it ended, if that is not as
 * usual. Resolves with the exit code for a command that ends with the turn.
 * @param run starts the turn, and cancels it when the signal aborts
 */
export async function runTurn(
  run: (signal: AbortSignal) => Promise<Omit<TurnEnd, 'turnId'>>,
  { stopping, end }: { readonly stopping: Stopping; readonly end: () => void },
): Promise<number> {
  const { remark, code } = endingOf(await run(stopping.signal).finally(end));
  if (remark !== undefined && !stopping.reason) warn(remark);
  return code;
}

/** The message about how a turn ended, and the exit code. */
function endingOf({ stopReason, meta, decisions, stopped }: Omit<TurnEnd, 'turnId'>): {
  readonly remark: string | undefined;
  readonly code: number;
} {
  if (stopped) return { remark: stopped.message, code: stoppedCodes[stopped.reason] };
  if (meta?.['noModel'] === true) return { remark: noModel, code: exitCodes.noModel };
  const isDenied = decisions !== undefined && decisions.asked > 0 && decisions.allowed === 0;
  return {
    remark: turnEndText(stopReason),
    code: isDenied ? exitCodes.denied : (endCodes[stopReason] ?? exitCodes.error),
  };
}
