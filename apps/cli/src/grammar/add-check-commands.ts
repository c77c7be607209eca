import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CheckArguments } from '../commands/check/check-arguments.ts';
import type { MatrixArguments } from '../commands/check/matrix-row.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { CommandLineOptions } from '../options.ts';
import { list, secondsAboveZero, wholeNumber } from '../option-values.ts';
import { footer } from './help-footer.ts';
import type { Invocation } from './invocation.ts';

/** Defines the command `check` and its subcommand. */
export function addCheck(command: Command, invocation: Invocation): void {
  const { program } = invocation;
  command
    .description('check whether an agent or a client conforms to the protocol')
    .usage('[options] -- <agent command…>')
    .argument('[command...]', 'the command that starts the agent, after --; or the name of an agent')
    .addHelpText('after', footer(checkHelp));
  for (const option of [...selection(), ...ofOne(), ...reports()]) command.addOption(option);
  command.action((words: readonly string[], args: Omit<CheckArguments, 'words' | 'agentName' | FromProgram>) =>
    invocation.run(async (options) =>
      (await import('../commands/check.ts')).check(
        {
          ...args,
          words,
          agentName: invocation.agentName,
          timeout: program.opts<CommandLineOptions>().timeout,
          protocol: program.opts<CommandLineOptions>().protocol ?? 1,
          ...(program.getOptionValueSource('cwd') === 'cli' && { sessionsIn: options.cwd }),
        },
        options,
      ),
    ),
  );
  addMatrix(command, invocation);
}

type FromProgram = 'timeout' | 'protocol';

function addMatrix(check: Command, invocation: Invocation): void {
  const { program } = invocation;
  const command = check
    .command('matrix')
    .description('check all agents and clients of a file and print one table')
    .argument('[file]', 'a JSON file with a list of agents and clients')
    .allowExcessArguments(false)
    .option('--page <file>', 'keep the results in this Markdown page, next to a JSON file and short traces')
    .addHelpText('after', footer(matrixHelp));
  command.action((file: string | undefined, own: Pick<MatrixArguments, 'page'>) =>
    invocation.run(async (options) => {
      refuseOptionsOfOne(check);
      return (await import('../commands/check/check-matrix.ts')).checkMatrix(
        {
          ...check.opts<Omit<MatrixArguments, FromProgram | 'file' | 'sessionsIn'>>(),
          ...own,
          file,
          timeout: program.opts<CommandLineOptions>().timeout,
          protocol: program.opts<CommandLineOptions>().protocol ?? 1,
          ...(program.getOptionValueSource('cwd') === 'cli' && { sessionsIn: options.cwd }),
        },
        options,
      );
    }),
  );
}

/** The command line of `check matrix` is read with the options of `check`: refuses those that concern only one agent or client. */
function refuseOptionsOfOne(check: Command): void {
  const allowed = new Set([...selection().map(({ long }) => long), '--json', '--html']);
  const stray = check.options.find(
    (option) => !allowed.has(option.long) && check.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (stray !== undefined) throw new CommandError(`check matrix does not take ${stray.long}`, exitCodes.usage);
}

/** The subject of a check. */
function selection(): readonly Option[] {
  return [
    new Option(
      '--only <what>',
      'run only these scenarios: ids, patterns such as initialize/*, or requirements such as R036',
    )
      .argParser((value: string, previous: readonly string[]) => [...previous, ...atLeastOneOf(value)])
      .default([], 'all'),
    new Option('--level <level>', 'the lowest level whose violations count')
      .choices(['must', 'should'])
      .default('must'),
    new Option('--profile <profiles>', 'also judge requirements of these documents: proposal, dialect, unstable')
      .argParser((value: string, previous: readonly string[]) => [...previous, ...profileIn(value)])
      .default([], 'neither'),
    new Option('--seed <number>', 'the seed of random scenarios; reports contain it').argParser(wholeNumber),
    new Option('--jobs <count>', 'how many scenarios run at a time').argParser(atLeastOne).default(4),
    new Option('--turn-timeout <seconds>', 'how long a turn may take (default: 60, for a client 20)').argParser(
      secondsAboveZero,
    ),
  ];
}

function ofOne(): readonly Option[] {
  return [
    new Option('--auth-method <id>', 'log in with this method first').conflicts('client'),
    new Option('--prompts <file>', 'a JSON file with the prompts that make the agent act').conflicts('client'),
    new Option('--client', 'check a client; {agent} and {prompt} in its command are replaced by an agent and a prompt'),
    new Option(
      '--driver <driver>',
      'how to drive the client: turnwire, acpx, or a JSON file; implies --client',
    ).implies({ client: true }),
    new Option('--over <transport>', 'how the client reaches its agent: with http and websocket {agent} is a URL')
      .choices(['stdio', 'http', 'websocket'])
      .default('stdio')
      .implies({ client: true }),
    new Option('--fuzz <time>', 'fuzz the agent for this time instead, such as 60s or 5m')
      .argParser(timeSpan)
      .conflicts(['client', 'junit', 'html', 'badge', 'only', 'level', 'jobs', 'prompts', 'turnTimeout']),
    new Option('--fuzz-path <path>', 'with --fuzz and --seed: reproduce a failure that --fuzz found').argParser(
      fuzzPath,
    ),
    new Option('--list', 'list the scenarios and requirements without running them'),
  ];
}

function reports(): readonly Option[] {
  return [
    new Option('--json [file]', 'write the report as JSON; to stdout if no file is named'),
    new Option('--junit [file]', 'write the report as JUnit XML'),
    new Option('--html [file]', 'write the report as one HTML page'),
    new Option('--badge [file]', 'write the conclusion as an SVG badge for a README'),
  ];
}

function profileIn(value: string): readonly string[] {
  const known = ['proposal', 'dialect', 'unstable'];
  const named = list(value);
  if (named.length > 0 && named.every((each) => known.includes(each))) return named;
  throw new InvalidArgumentError('Allowed are proposal, dialect, unstable.');
}

function atLeastOne(value: string): number {
  const count = wholeNumber(value);
  if (count < 1) throw new InvalidArgumentError('Give a number of at least 1.');
  return count;
}

/** The longest time that a timer can count, in hours. */
const longestTime = 500;

/** A number of seconds, or a number followed by `s`, `m` or `h`. */
function timeSpan(value: string): number {
  const [, number = '', unit = 's'] = /^([\d.]+)([smh])?$/.exec(value.trim()) ?? [];
  const seconds = Number(number) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 1);
  if (seconds > 0 && seconds <= longestTime * 3600) return seconds;
  throw new InvalidArgumentError(`Give a time, such as 60s, 5m or 2h, of up to ${longestTime} hours.`);
}

function atLeastOneOf(value: string): readonly string[] {
  const words = list(value);
  if (words.length > 0) return words;
  throw new InvalidArgumentError('Name scenarios or requirements, such as initialize or R036.');
}

function fuzzPath(value: string): string {
  if (/^\d+:[\d,=.]*$/.test(value)) return value;
  throw new InvalidArgumentError('Give the path that --fuzz printed, such as 12:0,3=1.4.');
}

/** Printed after the help of `check`. */
const checkHelp = `
The agent is restarted for each scenario, in this folder (--cwd) and with your environment. Sessions use empty scratch
folders, which are deleted afterwards; sessions of an agent at a URL use the folder that --cwd names. The prompts can
cost money if a model answers them.

Every requirement is passed, failed, not exercised or not observable. Without evidence no requirement passes, and an
agent that lacks an optional feature, needs a login or does not follow a prompt has not failed. MUST and MUST NOT count;
violations below --level are advice. Proposals and documents of dialects are judged only with --profile, as advice.

--timeout is the time limit of each answer in seconds (10). --protocol 2 judges version 2 of the protocol. --trace DIR writes each connection to a separate file.
--verbose shows all evidence instead of some. --format quiet prints only the conclusion. A prompt in the file of
--prompts is a text with {names} to fill in, or null for an action the agent cannot do; "turnwire check --list" shows
the defaults.

Exit codes: 0 no requirement that counts is broken; 1 one is broken, the agent could not be judged, or a report could
not be written; 2 wrong command line or no such program; 130 interrupted, with the findings so far printed.

Examples:
  turnwire check -- node my-agent.js                 everything, as a table
  turnwire check --html report.html -- npx my-agent  with a page to attach to an issue
  turnwire check --only 'initialize/*,R036' -- my-agent --acp
  turnwire check --level should --junit junit.xml -- my-agent
  turnwire check coder                               an agent by its name
  turnwire check --client -- my-client --agent {agent} --prompt {prompt}
  turnwire check --client --driver acpx -- npx acpx  a client with a known driver
  turnwire check --over http -- my-client --agent {agent} --prompt {prompt}
                                                     a client that uses a URL
  turnwire check --fuzz 60s -- my-agent              random calls and broken lines
  turnwire check matrix agents.json --html matrix.html
`;

/** Printed after the help of `check matrix`. */
const matrixHelp = `
The file contains a list of objects: {"name": "theirs", "command": "npx -y their-agent@1.2.3 --acp",
"packages": ["their-agent@1.2.3"], "versions": [1, 2]}. A client has "client": true or a "driver".

It also takes --only, --level, --profile, --seed, --jobs, --turn-timeout, --json and --html of check.

With --trace DIR each cell of the table links to the frames that show it. --page keeps results for others: rows of this
run replace those with the same name and version, and all others stay. A page that does not exist is created. Without a
file the page is written again, with the reviews in the file reviews.json in its folder of traces.

Exit codes: 0 all conform; 1 one does not, or could not be judged; 2 wrong command line or file; 130 interrupted.

Examples:
  turnwire check matrix agents.json --html matrix.html --trace traces
  turnwire check matrix agents.json --page docs/conformance.md
`;
