import { TurnwireError } from '@turnwire/protocol';
import { join, split } from 'shlex';

/** A program and its arguments. */
export type CommandWords = readonly [program: string, ...words: string[]];

/**
 * Splits a command line into words as a POSIX shell does: spaces, quotes and backslashes. Nothing is expanded and no shell is started:
 * `$HOME`, `*`, `|` and `&&` are ordinary text. An array is used as it is; on Windows pass one, or write paths with forward slashes.
 * @throws TurnwireError `launch-failed` if it is empty or a quote is not closed
 */
export function commandWords(command: string | readonly string[]): CommandWords {
  const [program, ...words] = typeof command === 'string' ? splitCommand(command) : command;
  if (!program)
    throw new TurnwireError(
      'launch-failed',
      "The agent command is empty; give a program and its arguments, such as 'my-agent --acp'",
    );
  return [program, ...words];
}

/** Advice for the error of a failed command: how a shell would have interpreted it. Empty if no word is special to a shell. */
export function shellAdvice([program, ...words]: CommandWords): string {
  const operator = words.find((word) => /^(?:&&?|\|\|?|;|\d?>>?|<|\d?>&\d)$/.test(word));
  if (operator !== undefined)
    return ` There is no shell: ${operator} is an argument of ${program}. To use a shell, start it: ["sh", "-c", "…"].`;
  const [, variable] = /^([A-Za-z_]\w*)=/.exec(program) ?? [];
  return variable === undefined ? '' : ` There is no shell: set ${variable} in the environment of the agent instead.`;
}

/** The command as a user would type it. */
export function commandLine(words: CommandWords): string {
  return join(words);
}

function splitCommand(command: string): readonly string[] {
  try {
    return split(command);
  } catch (cause) {
    throw new TurnwireError(
      'launch-failed',
      `The agent command ${command} cannot be split into words: a quote or an escape is not closed`,
      { cause },
    );
  }
}
