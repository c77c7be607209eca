import type { QuestionView } from '@turnwire/permissions';
import { askInLines } from '../../questions/ask-in-lines.ts';
import type { UserAnswer } from '../../questions/answer-choices.ts';
import type { PlainChat } from './plain-chat.ts';

/** Asks whether a tool may run, as a numbered list. */
export function askPermissionPlainly(
  chat: PlainChat,
  view: QuestionView,
  signal: AbortSignal,
): Promise<UserAnswer | undefined> {
  return askInLines(chat, view, { page: chat.page, signal });
}
