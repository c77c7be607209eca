import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';

/** How the outcome of a turn is printed. */
type Format = 'text' | 'json' | 'quiet';

/** The options every command that drives an agent understands, before or after its name. */
export interface GlobalOptions {
  /** The folder to work in: an absolute path. */
  readonly cwd: string;
  /** The agent's command line. Absent: the built-in agent. */
  readonly agent?: string;
  /** Variables for the agent: `NAME` to pass on, `NAME=VALUE` to set. */
  readonly env: readonly string[];
  readonly approveAll?: true;
  readonly denyAll?: true;
  /** Seconds a whole turn may take. Absent: no limit. */
  readonly timeout?: number;
  readonly format: Format;
}

/** The global options, for the parser. */
export function globalOptions(): readonly Option[] {
  return [
    new Option('--cwd <dir>', 'work in this folder')
      .argParser(existingFolder)
      .default(process.cwd(), 'the current one'),
    new Option(
      '--agent <command>',
      'drive this agent instead of the built-in one: any command that speaks the Agent Client Protocol, started in the folder above',
    ),
    new Option('--env <NAME[=VALUE]>', 'pass a variable on to the agent, or set one; may be repeated')
      .argParser(oneMore)
      .default([], 'none'),
    new Option('--approve-all', 'allow whatever the agent asks for').conflicts('denyAll'),
    new Option('--deny-all', 'refuse whatever the agent asks for'),
    new Option('--timeout <seconds>', 'stop a turn that takes longer, and exit with code 3').argParser(
      secondsAboveZero,
    ),
    new Option(
      '--format <format>',
      'how to print a turn: json is the raw protocol stream, quiet the final message only',
    )
      .choices(['text', 'json', 'quiet'])
      .default('text'),
  ];
}

function existingFolder(given: string): string {
  const path = resolve(given);
  const found = orRefuse(path, () => statSync(path, { throwIfNoEntry: false }));
  if (!found) throw new InvalidArgumentError(`There is no folder ${path}.`);
  if (!found.isDirectory()) throw new InvalidArgumentError(`${path} is not a folder.`);
  orRefuse(path, () => accessSync(path, constants.X_OK));
  return path;
}

function orRefuse<Found>(path: string, look: () => Found): Found {
  try {
    return look();
  } catch (error) {
    throw new InvalidArgumentError(`${path} cannot be used (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function secondsAboveZero(given: string): number {
  const seconds = Number(given);
  // setTimeout counts in 32 bits; what is longer would fire at once.
  const longest = Math.floor((2 ** 31 - 1) / 1000);
  if (given.trim() === '' || !(seconds > 0 && seconds <= longest))
    throw new InvalidArgumentError(`Give a number of seconds above 0, such as 90 or 0.5.`);
  return seconds;
}

function oneMore(given: string, before: readonly string[]): readonly string[] {
  if (!/^[^=]+/.test(given))
    throw new InvalidArgumentError('Give a name, such as API_KEY, or a name and a value, such as LEVEL=debug.');
  return [...before, given];
}
