import { AgentwireError } from '@agentwire/protocol';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationSchema,
  Log,
  Peer,
} from '@agentwire/protocol';
import { fitsForm } from './fits-form.ts';
import { unlessAborted } from './unless-aborted.ts';

/** What a person is asked (protocol: Elicitation): to fill in a form, or to visit a page. Never ask for a secret with a form. */
export type UserQuestion = {
  /** What is needed and why. */
  readonly message: string;
  /** Id of the tool call that needs the answer. Absent: none in particular. */
  readonly toolCallId?: string | undefined;
} & (
  | {
      /** The form: a flat object schema. */
      readonly form: ElicitationSchema;
    }
  | {
      /** The page, without secrets in its address. */
      readonly url: string;
    }
);

/** What a form was filled in with, by field. */
export type FormValues = { readonly [field: string]: ElicitationContentValue };

/**
 * What came of asking a person.
 *
 * - `answered`: the form was filled in and fits, or the visit to the page agreed to
 * - `declined`: the person said no, or what came back does not fit the form
 * - `cancelled`: the question was dismissed, the turn cancelled, or the client is gone
 * - `said`: the client cannot ask, so the question was said as a message. End the turn: the next prompt is the answer
 */
export type UserAnswer =
  | {
      readonly outcome: 'answered';
      readonly values: FormValues;
      /** Tells the client that the page has done its work. Does nothing for a form. */
      completed(): Promise<void>;
    }
  | { readonly outcome: 'declined' | 'cancelled' | 'said' };

/** Whom a question goes to and what gives it up. */
export interface Asking {
  readonly peer: Peer<'agent'>;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Asks the client to ask. Undefined if it offers no such way. */
export async function askUser(question: UserQuestion, asking: Asking): Promise<UserAnswer | undefined> {
  const { peer, signal, log } = asking;
  const request = requestOf(question, asking);
  if (request === undefined) return undefined;
  if (signal.aborted) return { outcome: 'cancelled' };
  try {
    const asked = peer.request('elicitation/create', request, { signal });
    const answer = await unlessAborted(asked, signal);
    return signal.aborted ? { outcome: 'cancelled' } : readAnswer(question, request, { answer, peer });
  } catch (error) {
    if (signal.aborted || isGone(error)) return { outcome: 'cancelled' };
    log({ level: 'warn', event: 'a question got no answer', method: 'elicitation/create', error });
    return { outcome: 'declined' };
  }
}

/** The question as a message, for clients that cannot ask. */
export function questionAsText(question: UserQuestion): string {
  if ('url' in question) return `${question.message}\n\n<${question.url}>`;
  const fields = Object.entries(question.form.properties ?? {}).map(([field, schema]) => {
    const { title, description } = schema as { readonly title?: string | null; readonly description?: string | null };
    return `- ${title ?? field}${description ? `: ${description}` : ''}${choicesOf(schema)}`;
  });
  return [question.message, ...(fields.length > 0 ? ['', ...fields] : [])].join('\n');
}

function choicesOf(schema: object): string {
  const { enum: plain, oneOf } = schema as {
    readonly enum?: readonly string[] | null;
    readonly oneOf?: readonly { readonly title: string }[] | null;
  };
  const choices = plain ?? oneOf?.map(({ title }) => title);
  return choices ? ` (${choices.join(', ')})` : '';
}

function requestOf(
  { message, toolCallId, ...how }: UserQuestion,
  { peer, sessionId }: Asking,
): CreateElicitationRequest | undefined {
  const { elicitation } = peer.remote?.clientCapabilities ?? {};
  const scope = { message, sessionId, ...(toolCallId !== undefined && { toolCallId }) };
  if ('url' in how)
    return elicitation?.url ? { mode: 'url', ...scope, url: how.url, elicitationId: crypto.randomUUID() } : undefined;
  return elicitation?.form ? { mode: 'form', ...scope, requestedSchema: how.form } : undefined;
}

function readAnswer(
  question: UserQuestion,
  request: CreateElicitationRequest,
  { answer, peer }: { readonly answer: CreateElicitationResponse; readonly peer: Peer<'agent'> },
): UserAnswer {
  if (answer.action === 'cancel') return { outcome: 'cancelled' };
  if (answer.action !== 'accept') return { outcome: 'declined' };
  const values = ('form' in question && (answer as { readonly content?: FormValues | null }).content) || {};
  if ('form' in question && !fitsForm(question.form, values)) return { outcome: 'declined' };
  const completed = async (): Promise<void> => {
    if (request.mode !== 'url') return;
    const { elicitationId } = request as { readonly elicitationId: string };
    await peer.notify('elicitation/complete', { elicitationId });
  };
  return { outcome: 'answered', values, completed };
}

function isGone(error: unknown): boolean {
  return error instanceof AgentwireError && error.code === 'connection-closed';
}
