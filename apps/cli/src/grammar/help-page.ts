import { type Command, Help, type HelpConfiguration, type Option } from 'commander';

/** The options that most people need, in the order of the page. */
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

/** What an option is for, in as few words as fit. */
const shortOptions: Readonly<Record<string, string>> = {
  '--resume': 'go on with a session: its id, its name, or words of it',
  '--agent': 'drive this agent: a command, or a URL',
  '--permission-mode': 'default, acceptEdits, plan or bypassPermissions',
  '--format': 'text, json (the raw protocol) or quiet (the last message)',
};

/** The commands that are on the short page, with what they are for in a few words. */
const short: Readonly<Record<string, string>> = {
  chat: 'chat with an agent in this terminal; the default',
  exec: 'one turn, the answer on stdout; so is text without a command',
  prompt: 'a turn of a session that lasts',
  sessions: 'list, show, export and end sessions',
  agents: 'list, get, add and remove agents',
  doctor: 'find out whether an agent works, and why not',
  permissions: 'rules about what agents may do: list, test, add, import',
  coder: 'the built-in agent: its logins and models; serve an editor',
  web: 'chat in a browser',
  serve: 'serve agents to any number of clients, here and elsewhere',
  check: 'judge whether an agent or a client conforms to the protocol',
  trace: 'record, view, validate, compare and replay messages',
};

/**
 * How help is printed: commands first; of the options of the whole program those that most people need.
 * @param showsAll whether everything is asked for
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

/** Commands that run turns have every option; the others only those for the place, the agent and the output. */
function globalOptions(command: Command, showsAll: boolean): Option[] {
  const help = new Help();
  help.showGlobalOptions = true;
  const all = Help.prototype.visibleGlobalOptions.call(help, command);
  // A command that serves an agent drives none.
  if ([command.name(), command.parent?.name()].some((name) => name === 'coder' || name === 'connect')) return [];
  const runsTurns = ['exec', 'prompt', 'chat'].includes(command.name());
  if (!runsTurns) return all.filter(({ long }) => generalOptions.has(long ?? ''));
  return showsAll ? all : commonOf(all, false);
}

const generalOptions: ReadonlySet<string> = new Set(['--cwd', '--agent', '--env', '--format', '--verbose']);

/** @param isProgram with the options that only the whole program has */
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

/** Under their headings where there are many. */
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
  // Those that a chat and `exec` have, and the program without a command.
  const going =
    command.parent === null && !showsAll
      ? (command.commands.find((each) => each.name() === 'chat')?.options ?? [])
      : [];
  add([...going, ...helper.visibleOptions(command)], 'Options:');
  add(helper.visibleGlobalOptions(command), 'Options of all commands:');
  return [...groups].map(([heading, rows]) => list(helper, rows, heading)).join('\n\n');
}

/** Rows with aligned columns; nothing without rows. */
function list(helper: Help, rows: readonly (readonly [string, string])[], heading: string): string {
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([term]) => term.length));
  return [heading, ...rows.map(([term, text]) => helper.formatItem(term, width, text, helper))].join('\n');
}

function hint(command: Command, helper: Help, showsAll: boolean): string {
  if (showsAll) return '';
  if (command.parent === null) return 'One command: turnwire help COMMAND. All options: turnwire --help-all';
  const isCut = ['exec', 'prompt', 'chat'].includes(command.name());
  return isCut ? `More options: ${helper.commandUsage(command).replace(/ \[.*$/, '')} --help-all` : '';
}
