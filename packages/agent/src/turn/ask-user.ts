import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationSchema,
  ElicitationRequestScope,
  ElicitationSessionScope,
  Log,
} from '@turnwire/protocol';
import { unlessAborted } from '@turnwire/machine/waits';
import type { QuestionWire } from '../wire/client-wire.ts';
import { choicesOf } from './form-choices.ts';
import { fitsForm } from './fits-form.ts';
import { isClientGone } from './is-client-gone.ts';

/** A question for the user (protocol: Elicitation): to fill in a form, or to visit a page. Never ask for a secret with a form. */
export type UserQuestion = {
  /** The request and its reason, for the user. */
  readonly message: string;
  /** Id of the tool call that needs the answer. Absent: none in particular. */
  readonly toolCallId?: string | undefined;
} & (
  | {
      /** The form: a flat object schema. */
      readonly form: ElicitationSchema;
    }
  | {
      /** The page; its address must not contain secrets. */
      readonly url: string;
    }
);

/** The values of a form, by field. */
export type FormValues = { readonly [field: string]: ElicitationContentValue };

/**
 * A user's answer.
 *
 * - `answered`: the form was filled in validly, or the user agreed to visit the page
 * - `declined`: the user declined, or the answer does not fit the form
 * - `cancelled`: the question was dismissed, its turn or request was cancelled, or the client disconnected
 */
export type GivenAnswer =
  | {
      readonly outcome: 'answered';
      readonly values: FormValues;
      /** Notifies the client that the page has done its work. Does nothing for a form. */
      completed(): Promise<void>;
    }
  | { readonly outcome: 'declined' | 'cancelled' };

/**
 * The result of asking the user in a turn: an answer, or `said`, when the client cannot ask and the question was sent as a message. End the
 * turn then: the next prompt is the answer.
 */
export type UserAnswer = GivenAnswer | { readonly outcome: 'said' };

/** The recipient of a question and the signal that cancels it. */
export interface AskContext {
  readonly wire: QuestionWire;
  /** The session, or the request of the client, that the question is part of. */
  readonly scope: ElicitationSessionScope | ElicitationRequestScope;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Asks through the client. Undefined if the client does not support this kind of question. */
export async function askUser(question: UserQuestion, asking: AskContext): Promise<GivenAnswer | undefined> {
  const { wire, signal, log } = asking;
  const request = requestOf(question, asking);
  if (request === undefined) return undefined;
  if (signal.aborted) return { outcome: 'cancelled' };
  try {
    const asked = wire.elicit(request, { signal });
    const answer = await unlessAborted(asked, signal);
    return signal.aborted ? { outcome: 'cancelled' } : readAnswer(question, request, { answer, wire });
  } catch (error) {
    if (signal.aborted || isClientGone(error)) return { outcome: 'cancelled' };
    log({ level: 'warn', event: 'a question got no answer', method: 'elicitation/create', error });
    return { outcome: 'declined' };
  }
}

/** The question as a message, for clients that cannot ask. */
export function questionAsText(question: UserQuestion): string {
  if ('url' in question) return `${question.message}\n\n<${question.url}>`;
  const fields = Object.entries(question.form.properties ?? {}).map(([field, schema]) => {
    const { title, description } = schema as { readonly title?: string | null; readonly description?: string | null };
    const choices = choicesOf(schema);
    const listed = choices ? ` (${choices.map((choice) => choice.title).join(', ')})` : '';
    return `- ${title ?? field}${description ? `: ${description}` : ''}${listed}`;
  });
  return [question.message, ...(fields.length > 0 ? ['', ...fields] : [])].join('\n');
}

function requestOf(question: UserQuestion, { wire, scope }: AskContext): CreateElicitationRequest | undefined {
  const { elicitation } = wire.capabilities;
  const { message } = question;
  if ('url' in question)
    return elicitation?.url
      ? { mode: 'url', message, ...scope, url: question.url, elicitationId: crypto.randomUUID() }
      : undefined;
  return elicitation?.form ? { mode: 'form', message, ...scope, requestedSchema: question.form } : undefined;
}

function readAnswer(
  question: UserQuestion,
  request: CreateElicitationRequest,
  { answer, wire }: { readonly answer: CreateElicitationResponse; readonly wire: QuestionWire },
): GivenAnswer {
  if (answer.action === 'cancel') return { outcome: 'cancelled' };
  if (answer.action !== 'accept') return { outcome: 'declined' };
  const values = ('form' in question && (answer as { readonly content?: FormValues | null }).content) || {};
  if ('form' in question && !fitsForm(question.form, values)) return { outcome: 'declined' };
  const completed = async (): Promise<void> => {
    if (request.mode !== 'url') return;
    const { elicitationId } = request as { readonly elicitationId: string };
    await wire.elicited(elicitationId);
  };
  return { outcome: 'answered', values, completed };
}
