/** What the option parser needs to distinguish a word from the value of an option. */
export interface GrammarFacts {
  /** Options that take a value, in all spellings. */
  readonly valued: ReadonlySet<string>;
  /** Options that may take one: a word after them that is no option. */
  readonly maybeValued: ReadonlySet<string>;
  /** All options, in all spellings. */
  readonly options: ReadonlySet<string>;
  /** The commands, with their subcommands. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
  /** Commands that are also agents: agents if more words follow, unless those are subcommands. */
  readonly doubles: ReadonlySet<string>;
  /** Whether a word is the name of an agent. Called only for a first word that is not a command. */
  readonly isAgent: (word: string) => boolean | Promise<boolean>;
}

/** A command line in the order the option parser expects. */
export interface Arranged {
  /** The agent that was named. */
  readonly agent?: string;
  /** The first word, if it is neither an agent nor a command: the beginning of a prompt, or a typing error. */
  readonly stray?: string;
  /** The word after it. */
  readonly next?: string;
  /** The command first, then everything else in its order. */
  readonly words: readonly string[];
  /** The word after a command with subcommands, if it is not one of them. */
  readonly unknown?: string;
  /** An option before the first word that there is not: its value may be taken for an agent. */
  readonly unknownOption?: string;
  /** Whether a command was named. */
  readonly hasCommand: boolean;
}

/**
 * Finds the agent and the command among the options around them: `-s api codex status` is the command `status` of the agent `codex`.
 * Only the first words can be either; what follows `--` never is.
 */
export async function arrangeWords(words: readonly string[], facts: GrammarFacts): Promise<Arranged> {
  const places = wordPlaces(words, facts);
  const [first] = places;
  const unknownOption = words
    .slice(0, first)
    .find((each, at) => isUnknownOption(each, facts) && !facts.valued.has(words[at - 1] ?? ''));
  if (unknownOption !== undefined) return { words, unknownOption, hasCommand: false };
  if (first === undefined) return { words, hasCommand: false };
  const word = words[first] as string;
  const [second] = places.slice(1);
  const next = second === undefined ? undefined : words[second];
  const following = next === undefined ? {} : { next };
  const isDouble = next !== undefined && isAgentBefore(word, next, facts);
  if (facts.commands.has(word) && !isDouble) return { ...commandFirst(words, places, facts), hasCommand: true };
  if (!isDouble && !(await facts.isAgent(word))) return { stray: word, ...following, words, hasCommand: false };
  const rest = words.filter((_, index) => index !== first);
  const isCommand = second !== undefined && facts.commands.has(words[second] as string);
  if (!isCommand) return { agent: word, ...following, words: rest, hasCommand: false };
  const moved = places.slice(1).map((place) => place - 1);
  return { agent: word, ...commandFirst(rest, moved, facts), hasCommand: true };
}

/** Options as they may be written: `--name`, `--name=value`, `-n`, `-nvalue`. */
function isUnknownOption(word: string, { options }: GrammarFacts): boolean {
  if (!/^-./.test(word) || word === '--') return false;
  return !options.has(word.startsWith('--') ? (word.split('=', 1)[0] ?? '') : word.slice(0, 2));
}

/** A command that is an agent here, since no subcommand of it follows. */
function isAgentBefore(word: string, next: string, { doubles, commands }: GrammarFacts): boolean {
  return doubles.has(word) && commands.get(word)?.has(next) !== true;
}

function commandFirst(
  words: readonly string[],
  [place = 0, next]: readonly number[],
  { commands }: GrammarFacts,
): Pick<Arranged, 'words' | 'unknown'> {
  const command = words[place] as string;
  const own = commands.get(command);
  const isNested = next !== undefined && own?.has(words[next] as string) === true;
  const isUnknown = next !== undefined && !isNested && own !== undefined && own.size > 0;
  const front = isNested ? [place, next] : [place];
  return {
    words: [...front.map((each) => words[each] as string), ...words.filter((_, index) => !front.includes(index))],
    ...(isUnknown && { unknown: words[next] as string }),
  };
}

/** The positions of the words that are neither options nor their values. */
export function wordPlaces(
  words: readonly string[],
  { valued, maybeValued }: Pick<GrammarFacts, 'valued' | 'maybeValued'>,
): readonly number[] {
  const places: number[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') places.push(index);
    else if (valued.has(word) || (maybeValued.has(word) && words[index + 1]?.startsWith('-') === false)) index++;
  }
  return places;
}
