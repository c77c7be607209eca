import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CheckGiven } from '../commands/check/check-given.ts';
import type { GivenOptions } from '../options.ts';
import { list, secondsAboveZero, wholeNumber } from '../option-values.ts';
import { checkHelp } from './check-help-texts.ts';
import type { Invocation } from './invocation.ts';

/** Adds `check`. */
export function addCheckCommands(program: Command, invocation: Invocation): void {
  const command = program
    .command('check')
    .description('judge whether an agent, or a client, keeps to the protocol')
    .usage('[options] -- <agent command…>')
    .argument('[command...]', 'how the agent is started, behind --; or the name of one')
    .addHelpText('after', checkHelp);
  for (const option of [...whatIsChecked(), ...reports()]) command.addOption(option);
  command.action((words: readonly string[], given: Omit<CheckGiven, 'words' | 'agentName' | 'timeout'>) =>
    invocation.run(program, async (options) =>
      (await import('../commands/check.ts')).check(
        { ...given, words, agentName: invocation.agentName, timeout: program.opts<GivenOptions>().timeout },
        options,
      ),
    ),
  );
}

function whatIsChecked(): readonly Option[] {
  return [
    new Option(
      '--only <what>',
      'only these scenarios: ids, patterns such as initialize/*, or requirements such as R036',
    )
      .argParser((given: string, before: readonly string[]) => [...before, ...atLeastOneOf(given)])
      .default([], 'all'),
    new Option('--level <level>', 'from which level on what is broken counts')
      .choices(['must', 'should', 'may'])
      .default('must'),
    new Option('--seed <number>', 'what random scenarios begin with; reports say it').argParser(wholeNumber),
    new Option('--jobs <count>', 'how many scenarios run at a time').argParser(atLeastOne).default(4),
    new Option('--turn-timeout <seconds>', 'how long a turn may take (default: 60, of a client 20)').argParser(
      secondsAboveZero,
    ),
    new Option('--auth-method <id>', 'log in with this method first').conflicts('client'),
    new Option('--prompts <file>', 'the prompts that make the agent do things, as JSON').conflicts('client'),
    new Option('--client', 'judge a client: {agent} and {prompt} in its command stand for an agent and a prompt'),
    new Option(
      '--driver <driver>',
      'how the client is made to do things: turnwire, acpx, or a file as JSON; --client goes without saying',
    ).implies({ client: true }),
    new Option('--matrix <file>', 'judge all agents in this file, and print one table').conflicts(['client', 'junit']),
    new Option('--fuzz <time>', 'instead, do random things for so long, such as 60s or 5m, and look what comes of it')
      .argParser(timeSpan)
      .conflicts(['client', 'matrix', 'junit', 'html', 'only', 'level', 'jobs', 'prompts', 'turnTimeout']),
    new Option('--fuzz-path <path>', 'with --fuzz and --seed: see again what --fuzz found').argParser(fuzzPath),
    new Option('--list', 'print the scenarios and requirements, and run nothing'),
  ];
}

function reports(): readonly Option[] {
  return [
    new Option('--json [file]', 'write the report as JSON; to stdout without a file'),
    new Option('--junit [file]', 'write the report as JUnit XML'),
    new Option('--html [file]', 'write the report as one HTML page'),
  ];
}

function atLeastOne(given: string): number {
  const count = wholeNumber(given);
  if (count < 1) throw new InvalidArgumentError('Give a number from 1 on.');
  return count;
}

/** Hours that a timer can count. */
const longestTime = 500;

/** Seconds, or a number with `s`, `m` or `h` behind it. */
function timeSpan(given: string): number {
  const [, number = '', unit = 's'] = /^([\d.]+)([smh])?$/.exec(given.trim()) ?? [];
  const seconds = Number(number) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 1);
  if (seconds > 0 && seconds <= longestTime * 3600) return seconds;
  throw new InvalidArgumentError(`Give a time, such as 60s, 5m or 2h, of up to ${longestTime} hours.`);
}

function atLeastOneOf(given: string): readonly string[] {
  const words = list(given);
  if (words.length > 0) return words;
  throw new InvalidArgumentError('Name scenarios or requirements, such as initialize or R036.');
}

function fuzzPath(given: string): string {
  if (/^\d+:[\d,=.]*$/.test(given)) return given;
  throw new InvalidArgumentError('Give what --fuzz printed, such as 12:0,3=1.4.');
}
