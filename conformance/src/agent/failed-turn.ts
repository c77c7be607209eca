import {
  asMessage,
  at,
  errorOf,
  isAnswerTo,
  type JournalEntry,
  type ReplyError,
  type Reply,
} from '../wire/messages.ts';
import { Stopped } from '../wire/stopped.ts';

/** The reason for missing observations when the agent requires a login. */
export const loginRequired = 'the agent requires a login: log in, or name a method with --auth-method';

/** The code of an error that asks for a login. */
export const authenticationRequired = -32_000;
const refusals: readonly unknown[] = [-32_601, -32_602];

/** Whether the agent refused the request itself, rather than failing to carry it out. */
export function isRefusal({ code }: ReplyError): boolean {
  return refusals.includes(code);
}

/** The reason why a turn failed, for people. */
export function failureOf(error: ReplyError): string {
  if (error.code === authenticationRequired) return loginRequired;
  return `the turn failed: ${refusalText(error)} (${String(error.code)})`;
}

/** The error of a reply that should have had a result. */
export function textOfError({ error }: Reply): string {
  return error === undefined ? 'there is no result' : `${String(error.message)} (${String(error.code)})`;
}

/** The message of an error and its details, where many agents put the real reason. */
export function refusalText({ message, data }: ReplyError): string {
  const details = at(data, 'details');
  return typeof details === 'string' ? `${String(message)}: ${details.slice(0, 200)}` : String(message);
}

/**
 * Runs a scenario. If its last turn failed, the failure is the reason for missing observations, not what the agent left undone because of
 * it.
 */
export async function namingFailedTurn(
  context: { readonly journals: readonly (readonly JournalEntry[])[] },
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Stopped) || error.requirement !== undefined) throw error;
    throw new Stopped(lastFailure(context.journals) ?? error.message);
  }
  const failure = lastFailure(context.journals);
  if (failure !== undefined) throw new Stopped(failure);
}

function lastFailure(journals: readonly (readonly JournalEntry[])[]): string | undefined {
  const journal = journals.findLast((each) => each.some(isPrompt)) ?? [];
  const from = journal.findLastIndex(isPrompt);
  const id = at(journal[from]?.message, 'id');
  const answer = journal
    .slice(from + 1)
    .find(({ from: side, message }) => side === 'agent' && isAnswerTo(id, asMessage(message) ?? {}));
  const error = errorOf(asMessage(answer?.message) ?? {});
  return error === undefined || isRefusal(error) ? undefined : failureOf(error);
}

function isPrompt({ from, message }: JournalEntry): boolean {
  return from === 'client' && at(message, 'method') === 'session/prompt';
}
