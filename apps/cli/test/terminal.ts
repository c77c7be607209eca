import { onTestFinished } from 'vitest';
import { startInTerminal } from '../../../tools/test/pseudo-terminal.ts';
import { commandWords, plainEnvironment } from './command.ts';

/** A run of a program in a terminal. */
export interface TerminalRun {
  /** Everything the terminal was told so far. */
  readonly output: string;
  /** As shells count: 128 and the number of the signal, if one ended it. */
  readonly exitCode: Promise<number>;
  type(text: string): void;
  /** Resolves with what was printed since the last wait, once it holds the text; rejects when the program ends without. */
  until(text: string): Promise<string>;
}

/** What a terminal is like. */
export interface TerminalOptions {
  readonly colour?: boolean;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const ctrlC = '\u0003';
export const ctrlD = '\u0004';
export const enter = '\r';

/** What Node asks before it says whether a terminal has colours: set where tests run, not where a user sits. */
const colourVariables = new Set([
  'CI',
  'TF_BUILD',
  'AGENT_NAME',
  'NO_COLOR',
  'FORCE_COLOR',
  'NODE_DISABLE_COLORS',
  'COLORTERM',
  'TMUX',
]);

/** The environment without what would decide about colours, and with a state that is not the user's. */
export function usersEnvironment(): Record<string, string> {
  const variables = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { XDG_STATE_HOME = '', XDG_DATA_HOME = '' } = plainEnvironment;
  const own = { XDG_STATE_HOME, XDG_DATA_HOME, TURNWIRE_CODER_MODEL: 'offline' };
  return { ...Object.fromEntries(variables.filter(([name]) => !colourVariables.has(name))), ...own };
}

/** Starts the command in a pseudo-terminal. */
export function inTerminal(words: readonly string[], options: TerminalOptions = {}): TerminalRun {
  return programInTerminal([process.execPath, ...commandWords, ...words], options);
}

/** Starts any program in a pseudo-terminal; it is killed if it outlives the test. */
export function programInTerminal(
  [file, ...words]: readonly [string, ...string[]],
  { colour = false, cwd = process.cwd(), env: own = {} }: TerminalOptions = {},
): TerminalRun {
  const env = { ...usersEnvironment(), ...own };
  const pty = startInTerminal(file, words, {
    cols: 200,
    rows: 50,
    name: 'xterm-256color',
    cwd,
    env: colour ? env : { ...env, NO_COLOR: '1' },
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  let output = '';
  let seen = 0;
  let ended = false;
  let changed = (): void => undefined;
  pty.onData((data) => {
    output += data;
    changed();
  });
  const exitCode = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode: code, signal }) => {
      ended = true;
      resolve(signal ? 128 + signal : code);
      changed();
    });
  });
  const until = async (text: string): Promise<string> => {
    while (!output.includes(text, seen)) {
      if (ended) throw new Error(`The program ended before it printed ${JSON.stringify(text)}. It printed:\n${output}`);
      await new Promise<void>((resolve) => (changed = resolve));
    }
    const end = output.indexOf(text, seen) + text.length;
    const part = output.slice(seen, end);
    seen = end;
    return part;
  };
  return {
    get output() {
      return output;
    },
    exitCode,
    type: (text) => pty.write(text),
    until,
  };
}
