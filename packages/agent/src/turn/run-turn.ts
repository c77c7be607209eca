import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';
import type { Log, PromptResponse } from '@turnwire/protocol';
import { after } from '../after.ts';
import type { AgentDefinition, PromptEnd } from '../definition.ts';
import type { TurnLimits } from '../session/turn-limits.ts';
import type { RunningTurn } from './running-turn.ts';

/**
 * Lets the agent answer a prompt and sees to it that the turn ends well: nothing left open, nothing sent afterwards,
 * `cancelled` after a cancel whatever the agent does, an error as an error.
 */
export async function runTurn<Memory>(
  definition: AgentDefinition<Memory>,
  turn: RunningTurn<Memory>,
  { limits: { grace, longest }, log }: { readonly limits: TurnLimits; readonly log: Log },
): Promise<PromptResponse> {
  const tooLong = takesTooLong(longest);
  const timer = after(longest, () => turn.stop(tooLong));
  turn.tellOfStoring();
  try {
    const end = await withinGrace(answer(definition, turn), turn.signal, grace);
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

function takesTooLong(longest: number): ProtocolError {
  return new ProtocolError(
    errorCodes.internalError,
    `The turn took longer than ${longest / 1000} s, which is the most it may take, and was stopped`,
  );
}

async function answer<Memory>({ prompt }: AgentDefinition<Memory>, turn: RunningTurn<Memory>): Promise<PromptEnd> {
  return prompt(turn);
}

/** After a cancel there is one right reason, whatever the agent says. */
function asCancelled(end?: PromptEnd): PromptResponse {
  return { ...(typeof end === 'object' && end), stopReason: 'cancelled' };
}

/** Waits for the work, and once the signal aborts only so many milliseconds longer. */
async function withinGrace<Outcome>(
  work: Promise<Outcome>,
  signal: AbortSignal,
  grace: number,
): Promise<Outcome | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const patienceEnds = new Promise<undefined>((resolve) => {
    onAbort = (): void => void (timer = after(grace, () => resolve(undefined)));
    // The handler may have ended the connection before it first waited for anything.
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, patienceEnds]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

// What a stranger's error says may be meant for nobody else: it goes to the log.
function errorForClient(error: unknown, log: Log): ProtocolError {
  if (error instanceof ProtocolError) return error;
  // What was asked of a client that went away; nobody reads the answer.
  if (error instanceof TurnwireError && error.code === 'connection-closed')
    return new ProtocolError(errorCodes.internalError, error.message);
  log({ level: 'error', event: 'the prompt handler threw', method: 'session/prompt', error });
  const name = error instanceof Error ? error.name : typeof error;
  return new ProtocolError(
    errorCodes.internalError,
    `The agent failed while it answered the prompt (${name}). Its log says why.`,
  );
}
