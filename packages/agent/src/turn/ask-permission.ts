import { feedbackOf, TurnwireError } from '@turnwire/protocol';
import type { Log, PermissionOption, RequestPermissionOutcome, ToolCall } from '@turnwire/protocol';
import { unlessAborted } from '@turnwire/machine/waits';
import type { SessionWire } from '../wire/client-wire.ts';
import { isClientGone } from './is-client-gone.ts';
import type { PermissionAnswer } from './turn.ts';

/** A permission question. */
export interface PermissionQuestion {
  readonly sessionId: string;
  /** The complete call, so that a client can show it without a lookup. */
  readonly toolCall: ToolCall;
  readonly options: readonly PermissionOption[] | undefined;
}

const yesOrNo: readonly PermissionOption[] = [
  { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
];

/**
 * Asks the client for permission. An abort withdraws the question at once; a late answer is ignored. Rejects with `invalid-input` if two
 * options share an id: the answer is an id, so a rejection could be read as an approval.
 */
export async function askPermission(
  { sessionId, toolCall, options = yesOrNo }: PermissionQuestion,
  { wire, signal, log }: { readonly wire: SessionWire; readonly signal: AbortSignal; readonly log: Log },
): Promise<PermissionAnswer> {
  const repeated = options.find(({ optionId }, at) => options.findIndex((each) => each.optionId === optionId) < at);
  if (repeated !== undefined)
    throw new TurnwireError(
      'invalid-input',
      `Two permission options have the id ${JSON.stringify(repeated.optionId)}; give each its own id`,
    );
  try {
    const asked = wire.askPermission({ sessionId, toolCall, options }, { signal });
    const outcome = await unlessAborted(asked, signal);
    return signal.aborted ? { outcome: 'cancelled' } : readOutcome(outcome, options);
  } catch (error) {
    if (signal.aborted || isClientGone(error)) return { outcome: 'cancelled' };
    log({
      level: 'warn',
      event: 'a permission was refused because the client did not answer',
      method: 'session/request_permission',
      error,
    });
    return { outcome: 'rejected' };
  }
}

function readOutcome(outcome: RequestPermissionOutcome, options: readonly PermissionOption[]): PermissionAnswer {
  if (outcome.outcome === 'cancelled') return { outcome: 'cancelled' };
  const option = options.find(({ optionId }) => optionId === outcome.optionId);
  if (option === undefined) return { outcome: 'rejected' };
  const isAllowed = option.kind === 'allow_once' || option.kind === 'allow_always';
  const feedback = feedbackOf(outcome);
  return { outcome: isAllowed ? 'allowed' : 'rejected', option, ...(feedback !== undefined && { feedback }) };
}
