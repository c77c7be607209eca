import type { QuestionView } from '@turnwire/permissions';
import type { UserAnswer } from './answer-choices.ts';
import { dialogOver, type TerminalLines } from './terminal-dialog.ts';
import type { Paint } from '../terminal/paint.ts';

/** Asks the user. Resolves with undefined without an answer. */
export type AskUser = (view: QuestionView, signal: AbortSignal) => Promise<UserAnswer | undefined>;

/** The terminal of a question. */
export interface Asking extends TerminalLines {
  readonly paint: Paint;
  /** The greatest width of a question's lines. */
  readonly width: number;
  /** Called before a question about a tool call is shown. */
  readonly onQuestion: (view: QuestionView) => void;
  /** Begins a new line for the next output. */
  readonly freshLine: () => void;
}

/** Asks the user at the terminal in lines. */
export function askUser(asking: Asking): AskUser {
  return async (view, signal) => {
    if (signal.aborted || view.choices.length === 0) return undefined;
    await asking.lines.discardTyped();
    asking.onQuestion(view);
    // Imported on demand: few agents ask, and the chat uses most of the code.
    const { askInLines } = await import('./ask-in-lines.ts');
    const page = { width: asking.width, paint: asking.paint };
    return askInLines(dialogOver(asking), view, { page, signal });
  };
}
