import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';
import type { Log, PromptResponse } from '@turnwire/protocol';
import { after, unlessAborted, within } from '@turnwire/machine/waits';
import type { TurnLimits } from './turn-limits.ts';
import type { RunningTurn } from './running-turn.ts';
import type { PromptEnd } from './turn.ts';

/**
 * Runs the prompt handler and ensures that the turn ends properly: with no open calls, no later updates, `cancelled` after every cancel,
 * and errors as errors.
 */
export async function runTurn<Memory>(
  turn: RunningTurn<Memory>,
  answerPrompt: () => PromptEnd | Promise<PromptEnd>,
  { limits: { grace, longest }, log }: { readonly limits: TurnLimits; readonly log: Log },
): Promise<PromptResponse> {
  const tooLong = new ProtocolError(
    errorCodes.internalError,
    `The turn took longer than ${longest / 1000} s, its time limit, and was stopped`,
  );
  const timer = after(longest, () => turn.stop(tooLong));
  turn.reportStoring();
  try {
    // Async, so that a handler that throws at once rejects as one that throws later does.
    const answer = (async () => answerPrompt())();
    const end = await withinGrace(answer, turn.signal, grace);
    if (turn.cancelled.aborted) return asCancelled(end);
    if (turn.signal.aborted) throw tooLong;
    return typeof end === 'object' ? end : { stopReason: end ?? 'end_turn' };
  } catch (error) {
    if (turn.cancelled.aborted) return asCancelled();
    throw errorForClient(turn.signal.aborted ? tooLong : error, log);
  } finally {
    clearTimeout(timer);
    turn.end();
  }
}

/** After a cancel the stop reason is always `cancelled`. */
function asCancelled(end?: PromptEnd): PromptResponse {
  return { ...(typeof end === 'object' && end), stopReason: 'cancelled' };
}

/** Waits for the work; once the signal aborts, at most for the grace period in milliseconds. */
async function withinGrace<Outcome>(
  work: Promise<Outcome>,
  signal: AbortSignal,
  grace: number,
): Promise<Outcome | undefined> {
  try {
    return await unlessAborted(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return within(grace, work);
  }
}

// The message of an unknown error may be confidential: it goes to the log.
function errorForClient(error: unknown, log: Log): ProtocolError {
  if (error instanceof ProtocolError) return error;
  // From a request to a client that has disconnected; the answer cannot be delivered.
  if (error instanceof TurnwireError && error.code === 'connection-closed')
    return new ProtocolError(errorCodes.internalError, error.message);
  log({ level: 'error', event: 'the prompt handler threw', method: 'session/prompt', error });
  const name = error instanceof Error ? error.name : typeof error;
  return new ProtocolError(
    errorCodes.internalError,
    `The agent failed while answering the prompt (${name}). See its log for the reason.`,
  );
}
