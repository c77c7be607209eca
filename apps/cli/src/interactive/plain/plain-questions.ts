import type { QuestionChoice, QuestionView } from '@turnwire/permissions';
import { askInLines } from '../../questions/ask-in-lines.ts';
import type { PlainChat } from './plain-chat.ts';

/** Asks whether a tool may run, as a numbered list. */
export async function askPermissionPlainly(
  chat: PlainChat,
  view: QuestionView,
  signal: AbortSignal,
): Promise<QuestionChoice | undefined> {
  const chosen = await askInLines(chat, view, { page: chat.page, signal, canWriteMessage: true });
  if (chosen?.hasMessage) {
    const message = await chat.askLine('What should the agent know? ', signal);
    if (message) chat.controller.send(message);
  }
  return chosen?.choice;
}
