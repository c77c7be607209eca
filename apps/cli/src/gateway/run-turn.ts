import type { Session } from '@turnwire/client';
import type { ContentBlock } from '@turnwire/protocol';
import { remarkOn } from '../output/stop-reasons.ts';
import { exitCodes } from '../exit-codes.ts';
import { complain } from '../failure.ts';
import type { Stopping } from '../stopping.ts';

/** What the gateway says about a turn, in the answer to its prompt. */
interface TurnFacts {
  readonly decisions?: { readonly asked: number; readonly allowed: number };
  readonly stopped?: { readonly reason: 'seconds' | 'cost' | 'rules'; readonly message: string };
}

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
    const { stopReason, _meta } = await turn.result.finally(end);
    const { stopped, decisions } = (_meta?.['turnwire'] ?? {}) as TurnFacts;
    const remark = stopped?.message ?? remarkOn(stopReason);
    if (remark !== undefined && !stopping.reason) complain(remark);
    if (stopped) return stoppedCodes[stopped.reason];
    return decisions && decisions.asked > 0 && decisions.allowed === 0 ? exitCodes.denied : exitCodes.ok;
  } finally {
    stopping.signal.removeEventListener('abort', cancel);
  }
}
