import type { QuestionView } from '@turnwire/permissions';
import { choosePlainly, type PlainDialog } from './plain-choice.ts';
import type { Page } from '../terminal/page.ts';
import { answerChoices, type ChosenAnswer } from './answer-choices.ts';
import { questionLines } from './question-lines.ts';

/** Options of a question in lines. */
export interface AskedInLines {
  readonly page: Page;
  readonly signal: AbortSignal;
  /** Whether the user can also write a message to the agent. */
  readonly canWriteMessage: boolean;
}

/**
 * Asks a question in lines that are printed once. The most important lines are last, next to the answers, even if there are many. Resolves with
 * undefined without an answer.
 */
export async function askInLines(
  dialog: PlainDialog,
  view: QuestionView,
  { page, signal, canWriteMessage }: AskedInLines,
): Promise<ChosenAnswer | undefined> {
  const { heading, sections, reason } = questionLines(view, page);
  const title = [...heading, ...sections.toReversed().flat(), ...reason].join('\n');
  return choosePlainly(dialog, { title, choices: answerChoices(view, { canWriteMessage }), mustAnswer: true, signal });
}
