import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { explain } from '../failure.ts';
import type { ChatActions, CommandActions } from './chat-actions.ts';
import { RunningCommand } from './dialogs/running-command.ts';
import type { UserCommand, UserCommandEnd } from './user-shell.ts';

/** The maximum number of printed output lines. The agent gets the whole output. */
const mostLines = 40;

/** Gives the terminal to the user's shell, in the folder of the last `!` line. */
export async function openShell(chat: ChatActions): Promise<void> {
  const code = await chat.suspendUi((signal) => chat.controller.shell.open(signal));
  chat.note(code === undefined ? 'the shell in SHELL cannot be started' : 'back from your shell');
}

/** Runs a command line that was typed after `!!`, with the terminal, so that it can ask and draw. The agent does not see its output. */
export async function runInTerminal(
  chat: Pick<ChatActions, 'controller' | 'suspendUi' | 'note'>,
  line: string,
): Promise<void> {
  const code = await chat.suspendUi((signal) => chat.controller.shell.runInTerminal(line, signal));
  const end = code === 0 ? 'ended' : code === undefined ? 'was stopped' : `ended with exit code ${code}`;
  chat.note(`${cleanLine(line)} ${end}`);
}

/** Runs a command line that was typed after `!`, and shows it while it runs. Esc stops it. */
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

/** Runs a command line of the user, prints its output, and attaches it to the next prompt. Never rejects. */
export async function runAndAttach(
  chat: Pick<CommandActions, 'controller' | 'say' | 'note'>,
  line: string,
  running: Pick<UserCommand, 'signal' | 'onOutput'>,
): Promise<void> {
  try {
    const { shell, attachments } = chat.controller;
    const place = shell.place === '' ? '' : ` in ${shell.place}`;
    const end = await shell.run({ line, ...running });
    chat.say(shownLines(line, place, end));
    attachments.addText(`the output of ${cleanLine(line)}`, attachedText(line, place, end));
  } catch (error) {
    chat.note(explain(error));
  }
}

function shownLines(line: string, place: string, end: UserCommandEnd): string[] {
  const lines = cleanText(end.output).trimEnd().split('\n').filter(Boolean);
  const hidden = lines.length - mostLines;
  return [
    `! ${cleanLine(`${line}${place}`)}${endText(end)}`,
    ...(hidden > 0 ? [`  … ${hidden} earlier lines`] : []),
    ...lines.slice(-mostLines).map((each) => `  │ ${each}`),
  ];
}

function endText({ exitCode }: UserCommandEnd): string {
  if (exitCode === undefined) return ' (stopped)';
  return exitCode === 0 ? '' : ` (exit code ${exitCode})`;
}

/** The text for the agent: the command line of the user and its output. */
function attachedText(line: string, place: string, end: UserCommandEnd): string {
  const output = cleanText(end.output).trimEnd();
  const fence = '`'.repeat(Math.max(3, ...Array.from(output.matchAll(/`+/g), ([run]) => run.length + 1)));
  const what = `I ran this command${place}${endText(end)}: ${line}`;
  return output === '' ? `${what}\nIt printed nothing.` : `${what}\n\n${fence}\n${output}\n${fence}`;
}
