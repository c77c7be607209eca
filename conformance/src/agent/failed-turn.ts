import { Stopped } from '../verdict/stopped.ts';
import type { JournalEntry } from '../wire/journal.ts';
import { asMessage, errorOf, isAnswerTo, type ReplyError } from '../wire/messages.ts';

/** Why nothing more was seen of an agent that nobody is logged in to. */
export const loginFirst = 'the agent wants a login first: log in, or name a method with --auth-method';

const authenticationRequired = -32_000;
const refusals: readonly unknown[] = [-32_601, -32_602];

/** Whether a request itself was refused, not what it was to bring about. */
export function isRefusal({ code }: ReplyError): boolean {
  return refusals.includes(code);
}

/** Why a turn failed, as a reason. */
export function failureOf({ code, message, data }: ReplyError): string {
  if (code === authenticationRequired) return loginFirst;
  const details: unknown = asMessage(data)?.['details'];
  const why = typeof details === 'string' ? `${String(message)}: ${details}` : String(message);
  return `the turn failed: ${why} (${String(code)})`;
}

/**
 * Runs a scenario. Where its last turn failed, that is the reason why something was not seen, and not what the agent left undone because of
 * it.
 */
export async function namingFailedTurn(
  stage: { readonly journals: readonly (readonly JournalEntry[])[] },
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Stopped) || error.requirement !== undefined) throw error;
    throw new Stopped(lastFailure(stage.journals) ?? error.message);
  }
  const failure = lastFailure(stage.journals);
  if (failure !== undefined) throw new Stopped(failure);
}

function lastFailure(journals: readonly (readonly JournalEntry[])[]): string | undefined {
  const journal = journals.findLast((each) => each.some(isPrompt)) ?? [];
  const from = journal.findLastIndex(isPrompt);
  const id = asMessage(journal[from]?.message)?.['id'];
  const answer = journal.slice(from + 1).find((entry) => entry.from === 'agent' && isAnswer(id, entry));
  const error = errorOf(asMessage(answer?.message) ?? {});
  return error === undefined || isRefusal(error) ? undefined : failureOf(error);
}

function isPrompt({ from, message }: JournalEntry): boolean {
  return from === 'client' && asMessage(message)?.['method'] === 'session/prompt';
}

function isAnswer(id: unknown, { message }: JournalEntry): boolean {
  const answer = asMessage(message);
  return answer !== undefined && isAnswerTo(id, answer);
}
