import type { Session } from '@turnwire/client';
import type { ContentBlock, PromptResponse } from '@turnwire/protocol';
import { remarkOn } from '../output/stop-reasons.ts';
import { exitCodes } from '../exit-codes.ts';
import { complain } from '../failure.ts';
import type { Stopping } from '../stopping.ts';

/** What the gateway says about a turn, in the answer to its prompt. */
interface TurnFacts {
  readonly decisions?: { readonly asked: number; readonly allowed: number };
  readonly stopped?: { readonly reason: 'seconds' | 'cost' | 'rules'; readonly message: string };
}

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
 * Runs a turn to its end, or until the command is stopped; then waits for the agent to stop. Remarks on how it ended go to stderr. Resolves
 * with the exit code for a command that ends with the turn.
 */
export async function runTurn(
  session: Session,
  content: readonly ContentBlock[],
  { stopping, end }: { readonly stopping: Stopping; readonly end: () => void },
): Promise<number> {
  const turn = session.prompt(content);
  const cancel = (): void => void turn.cancel().catch(() => undefined);
  stopping.signal.addEventListener('abort', cancel, { once: true });
  if (stopping.signal.aborted) cancel();
  try {
    const { remark, code } = endingOf(await turn.result.finally(end));
    if (remark !== undefined && !stopping.reason) complain(remark);
    return code;
  } finally {
    stopping.signal.removeEventListener('abort', cancel);
  }
}

/** The remark for stderr on how a turn ended, and the exit code. */
function endingOf({ stopReason, _meta }: PromptResponse): {
  readonly remark: string | undefined;
  readonly code: number;
} {
  const { stopped, decisions } = (_meta?.['turnwire'] ?? {}) as TurnFacts;
  if (stopped) return { remark: stopped.message, code: stoppedCodes[stopped.reason] };
  if (_meta?.['noModel'] === true) return { remark: noModel, code: exitCodes.noModel };
  const isDenied = decisions !== undefined && decisions.asked > 0 && decisions.allowed === 0;
  return {
    remark: remarkOn(stopReason),
    code: isDenied ? exitCodes.denied : (endCodes[stopReason] ?? exitCodes.error),
  };
}
