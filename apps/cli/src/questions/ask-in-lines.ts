import type { QuestionView } from '@turnwire/permissions';
import { choosePlainly, type PlainDialog } from './plain-choice.ts';
import type { Page } from '../terminal/page.ts';
import { answerChoices, type UserAnswer } from './answer-choices.ts';
import { questionLines } from './question-lines.ts';

/** Options of a question in lines. */
export interface AskedInLines {
  readonly page: Page;
  readonly signal: AbortSignal;
}

/**
 * Asks a question in lines that are printed once. The most important lines are last, next to the answers, even if there are many. Resolves with
 * undefined without an answer.
 */
export async function askInLines(
  dialog: PlainDialog,
  view: QuestionView,
  { page, signal }: AskedInLines,
): Promise<UserAnswer | undefined> {
  const { heading, sections, reason } = questionLines(view, page);
  const title = [...heading, ...sections.toReversed().flat(), ...reason].join('\n');
  const chosen = await choosePlainly(dialog, { title, choices: answerChoices(view), mustAnswer: true, signal });
  if (!chosen?.hasReason) return chosen;
  const feedback = (await dialog.askLine('The reason, for the agent: ', signal))?.trim();
  return { choice: chosen.choice, feedback };
}
