import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@turnwire/protocol';
import { type Answer, answerOf, type Question, type QuestionChoice } from '@turnwire/permissions';

/** A choice under the id by which a client answers it. */
interface OfferedChoice {
  readonly optionId: string;
  readonly choice: QuestionChoice;
}

/**
 * A question of the rules as clients are asked it: their options are ours, among them one for each rule that would be remembered, and name
 * what the answer does. `_meta.turnwire.question` has the facts that were judged.
 */
export function askedPermission(
  question: Question,
  { sessionId, isOwner }: { readonly sessionId: string; readonly isOwner: boolean },
): RequestPermissionRequest {
  const { request, view } = question;
  const choices = offered(question, isOwner);
  const shown = { ...view, choices: choices.map(({ choice }) => choice) };
  return {
    sessionId,
    toolCall: request.toolCall,
    options: choices.map(({ optionId, choice }) => optionFor(optionId, choice, view.proposedRule)),
    _meta: { ...request._meta, turnwire: { question: shown } },
  };
}

/** The answer of a client. Undefined, for `cancelled`, if it chose nothing that was offered. */
export function answeredPermission(
  question: Question,
  { outcome }: RequestPermissionResponse,
  isOwner: boolean,
): Answer {
  const id = 'optionId' in outcome ? outcome.optionId : undefined;
  return answerOf(question, offered(question, isOwner).find(({ optionId }) => optionId === id)?.choice);
}

/** A rule of the project holds for the sessions of others too: only the owner may make one. */
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
    kind: choice.kind as PermissionOptionKind,
  };
}
