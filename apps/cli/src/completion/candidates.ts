import type { Command, Option } from 'commander';

/** The candidates for the word at the cursor. */
export interface Candidates {
  readonly words: readonly string[];
  /** Whether the shell should offer files or folders as well. */
  readonly files: boolean;
}

/** The sources of candidates in addition to commands and options. */
export interface CandidateSources {
  readonly agents: readonly string[];
  /** The names of the sessions of this folder. */
  readonly sessions: () => Promise<readonly string[]>;
  /** The names of the places of this folder. */
  readonly places: () => Promise<readonly string[]>;
}

/** The candidates for the last of `words`, the words of the line after the program's name. */
export async function candidates(
  program: Command,
  words: readonly string[],
  { agents, sessions, places }: CandidateSources,
): Promise<Candidates> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = commandIn(program, before);
  const options = [...visibleOptions(command), ...(command === program ? [] : visibleOptions(program))];
  const waiting = options.find((option) => option.required && isNamed(option, before.at(-1)));
  if (waiting) return forValue(waiting, current, sessions);
  if (current.startsWith('-'))
    return matching(
      options.flatMap(({ long }) => long ?? []),
      current,
    );
  const isFirst = command === program;
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  const known = await namesFor(command, { sessions, places });
  return matching([...names, ...choices, ...(isFirst ? agents : []), ...known], current);
}

/** The names of existing sessions or places, for a command that takes one. */
async function namesFor(
  command: Command,
  { sessions, places }: Pick<CandidateSources, 'sessions' | 'places'>,
): Promise<readonly string[]> {
  const [group, name] = [command.parent?.name(), command.name()];
  if (group === 'sessions' && sessionNaming.has(name)) return sessions();
  return group === 'places' && placeNaming.has(name) ? places() : [];
}

const sessionNaming = new Set(['show', 'history', 'read', 'close', 'delete', 'export']);
const placeNaming = new Set(['open', 'diff', 'apply', 'merge', 'remove']);
const fileOptions = /<(path|file|dir)>/;

async function forValue(
  { argChoices, flags, long }: Option,
  current: string,
  sessions: CandidateSources['sessions'],
): Promise<Candidates> {
  if (long === '--session' || long === '--name') return matching(await sessions(), current);
  return { ...matching(argChoices ?? [], current), files: fileOptions.test(flags) };
}

function matching(words: readonly string[], current: string): Candidates {
  return { words: [...new Set(words)].filter((word) => word.startsWith(current)), files: false };
}

function isNamed({ short, long }: Option, word: string | undefined): boolean {
  return word !== undefined && (word === short || word === long);
}

/** The innermost command that the words name. */
function commandIn(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const inner = command.commands.find((each) => each.name() === word);
    if (inner) command = inner;
  }
  return command;
}

function visibleOptions(command: Command): readonly Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}
