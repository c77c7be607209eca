import { type Command, Help, type HelpConfiguration, type Option } from 'commander';

/** The options on the short help page, in its order. */
const common: readonly string[] = [
  '--cwd',
  '--agent',
  '--model',
  '--approve-all',
  '--deny-all',
  '--permission-mode',
  '--timeout',
  '--format',
];

/** Short descriptions of options, so that the short page fits on a screen. */
const shortOptions: Readonly<Record<string, string>> = {
  '--resume': 'continue a session: its id, its name, or words of it',
  '--agent': 'drive this agent: a command, or a URL',
  '--permission-mode': 'default, acceptEdits, plan or bypassPermissions',
  '--format': 'text, json (the raw protocol) or quiet (the last message)',
};

/** The commands on the short page, with their short descriptions. */
const short: Readonly<Record<string, string>> = {
  chat: 'chat with an agent in this terminal; the default',
  exec: 'run one turn and print the answer; also: text without a command',
  prompt: 'run a turn in a stored session',
  sessions: 'list, create, show, export and end sessions',
  agents: 'list, get, add and remove agents',
  doctor: 'find out whether an agent works, and if not, why',
  permissions: 'list, test, add and import rules for what agents may do',
  coder: 'the built-in agent: serve an editor, log in, list models',
  web: 'chat in a browser',
  serve: 'serve agents to clients on this machine and others',
  check: 'check whether an agent or a client conforms to the protocol',
  trace: 'record, view, validate, compare and replay messages',
};

/**
 * The layout of help pages: commands first, and of the options of the whole program only the common ones.
 * @param showsAll whether `--help-all` asks for every option
 */
export function helpPage(showsAll: () => boolean): HelpConfiguration {
  return {
    showGlobalOptions: true,
    visibleOptions: (command) => {
      const all = Help.prototype.visibleOptions.call(new Help(), command);
      return command.parent || showsAll() ? all : commonOf(all, true);
    },
    visibleGlobalOptions: (command) => globalOptions(command, showsAll()),
    formatHelp: (command, helper) => page(command, helper, showsAll()),
  };
}

/** Commands that run turns list every option; the others only those for the folder, the agent and the output. */
function globalOptions(command: Command, showsAll: boolean): Option[] {
  const help = new Help();
  help.showGlobalOptions = true;
  const all = Help.prototype.visibleGlobalOptions.call(help, command);
  // A command that serves an agent does not drive one.
  if ([command.name(), command.parent?.name()].some((name) => name === 'coder' || name === 'connect')) return [];
  const runsTurns = ['exec', 'prompt', 'chat'].includes(command.name());
  if (!runsTurns) return all.filter(({ long }) => generalOptions.has(long ?? ''));
  return showsAll ? all : commonOf(all, false);
}

const generalOptions: ReadonlySet<string> = new Set(['--cwd', '--agent', '--env', '--format', '--verbose']);

/** @param isProgram whether to add the options that only the program itself has */
function commonOf(options: readonly Option[], isProgram: boolean): Option[] {
  const wanted = [...common, ...(isProgram ? ['--version', '--help'] : [])];
  return wanted.flatMap((long) => options.filter((option) => option.long === long));
}

function page(command: Command, helper: Help, showsAll: boolean): string {
  const isShort = command.parent === null && !showsAll;
  const parts = [
    `Usage: ${helper.commandUsage(command)}`,
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80),
    isShort ? shortCommands(command, helper) : allCommands(command, helper),
    list(
      helper,
      helper.visibleArguments(command).map((each) => [helper.argumentTerm(each), helper.argumentDescription(each)]),
      'Arguments:',
    ),
    optionGroups(command, helper, showsAll),
    hint(command, helper, showsAll),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function shortCommands(command: Command, helper: Help): string {
  const others = helper
    .visibleCommands(command)
    .map((each) => each.name())
    .filter((name) => !Object.hasOwn(short, name));
  const also = helper.boxWrap(`also: ${others.join(', ')}`, (helper.helpWidth ?? 80) - 2);
  return `${list(helper, Object.entries(short), 'Commands:')}\n  ${also.replaceAll('\n', '\n  ')}`;
}

function allCommands(command: Command, helper: Help): string {
  const rows = helper
    .visibleCommands(command)
    .map((each) => [helper.subcommandTerm(each), helper.subcommandDescription(each)] as const);
  return list(helper, rows, 'Commands:');
}

/** Options under the headings of their groups on the full page, and under one heading elsewhere. */
function optionGroups(command: Command, helper: Help, showsAll: boolean): string {
  const described = (option: Option): string =>
    (showsAll ? undefined : shortOptions[option.long ?? '']) ?? helper.optionDescription(option);
  const groups = new Map<string, (readonly [string, string])[]>();
  const add = (options: readonly Option[], heading: string): void => {
    for (const option of options) {
      const name = showsAll ? (option.helpGroupHeading ?? heading) : heading;
      groups.set(name, [...(groups.get(name) ?? []), [helper.optionTerm(option), described(option)]]);
    }
  };
  // Without a command the program takes the options of a chat, such as --continue.
  const ofChat =
    command.parent === null && !showsAll
      ? (command.commands.find((each) => each.name() === 'chat')?.options ?? [])
      : [];
  add([...ofChat, ...helper.visibleOptions(command)], 'Options:');
  add(helper.visibleGlobalOptions(command), 'Options of all commands:');
  return [...groups].map(([heading, rows]) => list(helper, rows, heading)).join('\n\n');
}

/** Rows with aligned columns under a heading; empty without rows. */
function list(helper: Help, rows: readonly (readonly [string, string])[], heading: string): string {
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([term]) => term.length));
  return [heading, ...rows.map(([term, text]) => helper.formatItem(term, width, text, helper))].join('\n');
}

function hint(command: Command, helper: Help, showsAll: boolean): string {
  if (showsAll) return '';
  if (command.parent === null) return 'Help for one command: turnwire help COMMAND. All options: turnwire --help-all';
  const isCut = ['exec', 'prompt', 'chat'].includes(command.name());
  return isCut ? `More options: ${helper.commandUsage(command).replace(/ \[.*$/, '')} --help-all` : '';
}
