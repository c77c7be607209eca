import {
  feedbackOf,
  type PermissionOption,
  type PermissionOptionKind,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@turnwire/protocol';
import { type Answer, answerOf, type Question, type QuestionChoice } from '@turnwire/permissions';
import { plainCall } from '@turnwire/protocol/translation';

const optionKinds: ReadonlySet<string> = new Set(['allow_once', 'allow_always', 'reject_once', 'reject_always']);

/** A choice with the option id that a client answers with. */
interface OfferedChoice {
  readonly optionId: string;
  readonly choice: QuestionChoice;
}

/**
 * The permission request for a client. Its options are our own and say what each answer does; each rule that could be remembered has one.
 * `_meta.turnwire.question` holds the facts that the rules judged.
 */
export function permissionRequest(
  question: Question,
  { sessionId, isOwner }: { readonly sessionId: string; readonly isOwner: boolean },
): RequestPermissionRequest {
  const { request, view } = question;
  const choices = offered(question, isOwner);
  const shown = { ...view, choices: choices.map(({ choice }) => choice) };
  return {
    sessionId,
    toolCall: plainCall(request.toolCall),
    options: choices.map(({ optionId, choice }) => withFeedback(optionFor(optionId, choice, view.proposedRule))),
    _meta: { ...request._meta, turnwire: { question: shown } },
  };
}

/** The answer of a client: undefined, which means `cancelled`, if the client chose none of the offered options. */
export function permissionAnswer(question: Question, { outcome }: RequestPermissionResponse, isOwner: boolean): Answer {
  const id = 'optionId' in outcome ? outcome.optionId : undefined;
  const chosen = offered(question, isOwner).find(({ optionId }) => optionId === id);
  return answerOf(question, chosen?.choice, feedbackOf(outcome));
}

/** A client may say why it rejects: the session makes sure that the agent reads it. */
function withFeedback(option: PermissionOption): PermissionOption {
  const isRejection = option.kind === 'reject_once' || option.kind === 'reject_always';
  return isRejection ? { ...option, _meta: { turnwire: { allowFeedback: true } } } : option;
}

/** A project rule also applies to the sessions of others, so only the owner may make one. */
function offered({ request, view }: Question, isOwner: boolean): readonly OfferedChoice[] {
  return view.choices
    .filter(({ remember }) => isOwner || remember !== 'project')
    .map((choice) => {
      const own = request.options[choice.option]?.optionId ?? String(choice.option);
      return { optionId: choice.remember ? `turnwire-${choice.remember}` : own, choice };
    });
}

function optionFor(optionId: string, choice: QuestionChoice, rule: string | undefined): PermissionOption {
  const { word, agentName, remember } = choice;
  if (remember) return { optionId, name: `${word}: ${rule ?? ''}`, kind: 'allow_always' };
  return {
    optionId,
    name: agentName === undefined ? word : `${word}: ${agentName}`,
    // A client that allows everything may choose an option of an unknown kind, and one that rejects everything must not.
    kind: (optionKinds.has(choice.kind) ? choice.kind : 'allow_once') as PermissionOptionKind,
  };
}
