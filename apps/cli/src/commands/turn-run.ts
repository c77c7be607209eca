import type { Session, TurnResult } from '@turnwire/client';
import type { ContentBlock } from '@turnwire/protocol';
import { complain } from '../failure.ts';
import type { ToolCalls } from '../output/tool-calls.ts';
import type { View } from '../output/view.ts';
import type { Stopping } from '../stopping.ts';
import { remarkOn } from './stop-reasons.ts';

/** Shows a session and remembers its tool calls. */
export interface Screen {
  readonly view: View;
  readonly calls: ToolCalls;
}

/** Runs a turn to its end, or until it is cancelled; then waits for the agent to stop. */
export async function runTurn(
  session: Session,
  prompt: string | readonly ContentBlock[],
  { stopping, view, calls }: Screen & { readonly stopping: Stopping },
): Promise<TurnResult> {
  const turn = session.prompt(prompt);
  const cancel = (): void => void turn.cancel();
  stopping.signal.addEventListener('abort', cancel, { once: true });
  if (stopping.signal.aborted) cancel();
  try {
    const result = await turn;
    const remark = remarkOn(result.stopReason);
    if (remark !== undefined) complain(remark);
    return result;
  } finally {
    stopping.signal.removeEventListener('abort', cancel);
    view.end(calls.clear());
  }
}
