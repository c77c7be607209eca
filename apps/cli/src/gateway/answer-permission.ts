import type { QuestionView } from '@turnwire/permissions';
import type { PermissionOption, RequestPermissionRequest } from '@turnwire/protocol';
import type { AskUser } from '../questions/ask-user.ts';

/** Has a question of a gateway answered by the user. Resolves with undefined without an answer, and for what is no question of a gateway. */
export async function answerPermission(
  { options, _meta }: RequestPermissionRequest,
  { ask, signal }: { readonly ask: AskUser; readonly signal: AbortSignal },
): Promise<PermissionOption | undefined> {
  const { question } = (_meta?.['turnwire'] ?? {}) as { readonly question?: QuestionView };
  const choice = question && (await ask(question, signal));
  // The options are in the order of the choices.
  return choice && options[question.choices.indexOf(choice)];
}
