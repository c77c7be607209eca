import { errorCodes, ProtocolError } from '@agentwire/protocol';
import type { Log, StopReason } from '@agentwire/protocol';
import type { AgentDefinition } from '../definition.ts';
import type { RunningTurn } from './running-turn.ts';

/**
 * Lets the agent answer a prompt and sees to it that the turn ends well: nothing left open, nothing sent afterwards,
 * `cancelled` after a cancel whatever the agent does, an error as an error.
 */
export async function runTurn<Memory>(
  definition: AgentDefinition<Memory>,
  turn: RunningTurn<Memory>,
  { grace, log }: { readonly grace: number; readonly log: Log },
): Promise<StopReason> {
  try {
    const reason = await withinGrace(answer(definition, turn), turn.signal, grace);
    return turn.signal.aborted ? 'cancelled' : (reason ?? 'end_turn');
  } catch (error) {
    if (turn.signal.aborted) return 'cancelled';
    throw errorForClient(error, log);
  } finally {
    turn.end();
  }
}

async function answer<Memory>(
  { prompt }: AgentDefinition<Memory>,
  turn: RunningTurn<Memory>,
): Promise<StopReason | void> {
  return prompt(turn);
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
    onAbort = (): void => void (timer = setTimeout(resolve, grace, undefined));
    signal.addEventListener('abort', onAbort, { once: true });
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
  log({ level: 'error', event: 'the prompt handler threw', method: 'session/prompt', error });
  const name = error instanceof Error ? error.name : typeof error;
  return new ProtocolError(
    errorCodes.internalError,
    `The agent failed while it answered the prompt (${name}). Its log says why.`,
  );
}
