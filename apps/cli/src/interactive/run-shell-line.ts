import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { explain } from '../failure.ts';
import type { ChatActions, CommandActions } from './chat-actions.ts';
import { RunningCommand } from './dialogs/running-command.ts';
import { runUserCommand, type UserCommand, type UserCommandEnd } from './user-command.ts';

/** The most lines of an output that are printed; all of it goes to the agent. */
const mostLines = 40;

/** Runs what was written after `!` as a command line, which is shown while it runs; Esc stops it. */
export async function runShellLine(chat: ChatActions, line: string): Promise<void> {
  const ending = new AbortController();
  const dialog = new RunningCommand(line, () => ending.abort());
  const close = chat.dialogs.open(dialog);
  const onOutput = (output: string): void => {
    dialog.show(output);
    chat.changed();
  };
  await runAndAttach(chat, line, { signal: ending.signal, onOutput });
  close();
}

/** Runs a command line of the user; its output is printed, and goes along with the next prompt. Never rejects. */
export async function runAndAttach(
  chat: Pick<CommandActions, 'controller' | 'say' | 'note'>,
  line: string,
  running: Pick<UserCommand, 'signal' | 'onOutput'>,
): Promise<void> {
  try {
    const end = await runUserCommand({ line, cwd: chat.controller.cwd, ...running });
    chat.say(shownLines(line, end));
    chat.controller.attachments.addText(`the output of ${cleanLine(line)}`, attachedText(line, end));
  } catch (error) {
    chat.note(explain(error));
  }
}

function shownLines(line: string, end: UserCommandEnd): string[] {
  const lines = cleanText(end.output).trimEnd().split('\n').filter(Boolean);
  const hidden = lines.length - mostLines;
  return [
    `! ${cleanLine(line)}${endText(end)}`,
    ...(hidden > 0 ? [`  … ${hidden} earlier lines`] : []),
    ...lines.slice(-mostLines).map((each) => `  │ ${each}`),
  ];
}

function endText({ exitCode }: UserCommandEnd): string {
  if (exitCode === undefined) return ' (stopped)';
  return exitCode === 0 ? '' : ` (exit code ${exitCode})`;
}

/** As the agent gets it: what the user ran, and what it printed. */
function attachedText(line: string, end: UserCommandEnd): string {
  const output = cleanText(end.output).trimEnd();
  const fence = '`'.repeat(Math.max(3, ...Array.from(output.matchAll(/`+/g), ([run]) => run.length + 1)));
  const what = `I ran this command${endText(end)}: ${line}`;
  return output === '' ? `${what}\nIt printed nothing.` : `${what}\n\n${fence}\n${output}\n${fence}`;
}
