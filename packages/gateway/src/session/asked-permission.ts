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
export function askedPermission(question: Question, sessionId: string): RequestPermissionRequest {
  const { request, view } = question;
  return {
    sessionId,
    toolCall: request.toolCall,
    options: offered(question).map(({ optionId, choice }) => optionFor(optionId, choice, view.proposedRule)),
    _meta: { ...request._meta, turnwire: { question: view } },
  };
}

/** The answer of a client. Undefined, for `cancelled`, if it chose nothing that was offered. */
export function answeredPermission(question: Question, { outcome }: RequestPermissionResponse): Answer {
  const id = 'optionId' in outcome ? outcome.optionId : undefined;
  return answerOf(question, offered(question).find(({ optionId }) => optionId === id)?.choice);
}

/** The answer when no client gave one. */
export function rejection(question: Question): Answer {
  return answerOf(
    question,
    question.view.choices.find(({ kind }) => kind === 'reject_once'),
  );
}

function offered({ request, view }: Question): readonly OfferedChoice[] {
  return view.choices.map((choice) => {
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
