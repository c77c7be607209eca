import type { PlainDialog } from './plain-choice.ts';
import type { TypedLines } from '../terminal/lines.ts';

/** The terminal of a dialog in lines. */
export interface TerminalLines {
  readonly lines: TypedLines;
  readonly write: (text: string) => void;
  /** Called when the answer was Ctrl-C. */
  readonly onInterrupt: () => void;
}

/** Makes a dialog in lines at the terminal. After the user has left it, it asks no more questions. */
export function dialogOver({ lines, write, onInterrupt }: TerminalLines): PlainDialog {
  const never = new AbortController().signal;
  let isLeft = false;
  return {
    say: (said) => {
      if (!isLeft) write(`${said.join('\n')}\n`);
    },
    askLine: async (prompt, signal = never) => {
      if (isLeft || signal.aborted) return undefined;
      const answer = await lines.ask(prompt, signal);
      if (typeof answer === 'object') return answer.line;
      isLeft = true;
      if (answer === 'interrupted' && !signal.aborted) onInterrupt();
      return undefined;
    },
  };
}
