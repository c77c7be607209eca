import { errorCodes, ProtocolError, redactText } from '@turnwire/protocol';
import { failureFacts } from './failure-facts.ts';
import type { FailureFacts, FailureReason } from './failure-facts.ts';
import { adviceFor, briefFor } from './failure-advice.ts';
import type { ChosenModel } from './model.ts';

/** The data of a failure that a client gets besides the message. */
export interface ModelFailureData {
  /** The provider's name, as in the model's id. */
  readonly provider: string;
  /** `provider/model`. */
  readonly model: string;
  readonly reason: FailureReason;
  /** The HTTP status, if there was one. */
  readonly status?: number;
  /** The provider's own code, such as `insufficient_quota`. */
  readonly code?: string;
  /** Whether a later retry may succeed. */
  readonly retryable: boolean;
  /** Milliseconds after which the server allows a retry. */
  readonly retryAfter?: number;
}

/** The model failed to answer, or to finish. The message tells the user what happened and how to fix it, and never contains a key. */
export class ModelFailure extends ProtocolError {
  declare readonly data: ModelFailureData;
  /** The event, without advice and final period. */
  readonly brief: string;

  /** @param texts with `canLogIn` if a login would help: clients then offer one */
  constructor(
    data: ModelFailureData,
    texts: { readonly brief: string; readonly message: string; readonly canLogIn: boolean },
  ) {
    const { authenticationRequired, internalError } = errorCodes;
    const needsLogin = data.reason === 'unauthorized' && texts.canLogIn;
    super(needsLogin ? authenticationRequired : internalError, texts.message, data);
    this.brief = texts.brief;
  }
}

const retryable: ReadonlySet<FailureReason> = new Set([
  'rate-limited',
  'overloaded',
  'server-error',
  'connection',
  'stalled',
  'broke-off',
]);
const longestQuote = 300;

/** Describes a model's failure in terms that users can act on. A failure that is described already stays as it is. */
export function modelFailure(chosen: ChosenModel, error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const facts = failureFacts(error);
  const brief = briefFor(chosen, facts, error);
  const quote = quoteOf(chosen, facts);
  const message = [`${brief}.`, ...(quote ? [`It reported: ${quote}`] : []), ...adviceFor(chosen, facts)].join(' ');
  return new ModelFailure(dataOf(chosen, facts), { brief, message, canLogIn: chosen.provider?.keysAt !== undefined });
}

function dataOf({ id }: ChosenModel, { reason, status, code, retryAfter }: FailureFacts): ModelFailureData {
  return {
    provider: id.split('/')[0] ?? id,
    model: id,
    reason,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    retryable: retryable.has(reason),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** The provider's message, cleaned for display. A page of HTML is not shown. */
function quoteOf({ secrets = [] }: ChosenModel, { message }: FailureFacts): string | undefined {
  const line = redactText(message.slice(0, 20 * longestQuote), secrets)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line === '' || /^<(!doctype|html)/i.test(line)) return undefined;
  const short = line.length > longestQuote ? `${line.slice(0, longestQuote - 1)}…` : line;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

/** The error for a model that could not be loaded. */
export function modelCallFailed(model: string, error: unknown): ProtocolError {
  const reason = error instanceof Error ? error.message : typeof error === 'string' ? error : JSON.stringify(error);
  return new ProtocolError(errorCodes.internalError, `The model ${model} failed: ${redactText(reason, [])}`, {
    model,
  });
}
