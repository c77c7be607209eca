import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationFormMode,
  ElicitationSchema,
} from '@turnwire/protocol';
import type { HostElicitation } from '../host/host.ts';
import { checkForm } from './check-form.ts';
import { formDefaults, formFields } from './form-fields.ts';
import type { ScriptedAnswer, ScriptedAnswers } from './scripted-answers.ts';
import { urlConsent } from './url-consent.ts';

/** A question and its scripted answer. */
export interface ScriptedRecord {
  readonly request: CreateElicitationRequest;
  readonly response: CreateElicitationResponse;
  /** A sentence: the chosen answer, or the reason why none was valid. */
  readonly reason: string;
}

type Reply = Omit<ScriptedRecord, 'request'>;
type Content = Readonly<Record<string, ElicitationContentValue>>;

/**
 * Answers an agent's questions from a script, for unattended runs. Questions without a valid answer are answered with `cancel`: nothing is
 * invented. A page is visited only if an answer names its address or its message.
 * @param onRecord receives every question and its answer
 */
export function scriptedElicitation(
  answers: ScriptedAnswers,
  onRecord: (record: ScriptedRecord) => void = () => undefined,
): HostElicitation {
  const recorded = (request: CreateElicitationRequest, reply: Reply): CreateElicitationResponse => {
    onRecord({ request, ...reply });
    return reply.response;
  };
  return {
    form: (request) => recorded(request, formReply(request as FormRequest, answers)),
    url: (request) => recorded(request, urlReply(request as UrlRequest, answers)),
  };
}

type FormRequest = CreateElicitationRequest & ElicitationFormMode;
type UrlRequest = CreateElicitationRequest & { readonly url: string };

function formReply(request: FormRequest, answers: ScriptedAnswers): Reply {
  const { message, requestedSchema } = request;
  const fields = formFields(requestedSchema);
  if (!isList(answers)) return accepted(requestedSchema, picked(answers, new Set(fields.map(({ key }) => key))));
  const answer = answers.find(({ match = {} }) => {
    const hasField = match.key === undefined || fields.some(({ key }) => key === match.key);
    return match.url === undefined && hasField && message.includes(match.message ?? '');
  });
  if (!answer) return cancelled('no prepared answer matches the question');
  return answer.action === 'accept' ? accepted(requestedSchema, answer.content ?? {}) : answeredWith(answer);
}

function urlReply({ message, url }: UrlRequest, answers: ScriptedAnswers): Reply {
  if (!isList(answers)) return cancelled('no prepared answer opens a page');
  const answer = answers.find(({ match = {} }) => {
    return match.key === undefined && url.startsWith(match.url ?? '') && message.includes(match.message ?? '');
  });
  if (!answer) return cancelled('no prepared answer matches the question');
  if (answer.action !== 'accept') return answeredWith(answer);
  const { match = {} } = answer;
  if (!match.url && !match.message)
    return cancelled('a page is visited only if the answer names its address or message');
  const { mayOpen, warnings } = urlConsent(url);
  return mayOpen ? answeredWith(answer) : cancelled(warnings.join(' '));
}

/** The completed form, if it is valid. */
function accepted(schema: ElicitationSchema, values: Content): Reply {
  const content = { ...formDefaults(schema), ...values };
  const problems = checkForm(schema, content);
  if (problems.length > 0) return cancelled(problems.map(({ message }) => message).join('; '));
  return { response: { action: 'accept', content }, reason: 'answered from the prepared answers' };
}

function answeredWith({ action }: ScriptedAnswer): Reply {
  return { response: { action }, reason: 'answered from the prepared answers' };
}

function cancelled(why: string): Reply {
  return { response: { action: 'cancel' }, reason: `cancelled: ${why}` };
}

/** The values for which the form has fields. */
function picked(values: Content, keys: ReadonlySet<string>): Content {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)));
}

function isList(answers: ScriptedAnswers): answers is readonly ScriptedAnswer[] {
  return Array.isArray(answers);
}
