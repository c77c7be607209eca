import type { Option } from 'commander';
import { builtInAgentName } from '../built-in-agent.ts';
import type { Grammar } from './grammar.ts';

/** A command line in the order the option parser expects. */
export interface Arranged {
  readonly agent?: string;
  /** The first word, if it is neither an agent nor a command: the start of a prompt, or a typing error. */
  readonly stray?: string;
  /** The word after the agent or the stray word. */
  readonly next?: string;
  /** The command first, then everything else in its order. */
  readonly words: readonly string[];
  /** The word after a command with subcommands, if it is neither a subcommand nor an argument of the command. */
  readonly unknown?: string;
  /** An unknown option before the first word. The word after it may be its value, so it is not taken for an agent. */
  readonly unknownOption?: string;
  readonly hasCommand: boolean;
}

/**
 * Finds the agent and the command among the options around them: `-s api codex status` is the command `status` of the agent `codex`.
 * Only the first words can be either; what follows `--` never is.
 * @param isAgent whether a word is the name of an agent; called only for a first word that is not a command
 */
export async function arrangeWords(
  words: readonly string[],
  grammar: Grammar,
  isAgent: (word: string) => boolean | Promise<boolean>,
): Promise<Arranged> {
  const { positions, unknownOption } = wordPositions(words, grammar);
  if (unknownOption !== undefined) return { words, unknownOption, hasCommand: false };
  const [first, second] = positions;
  if (first === undefined) return { words, hasCommand: false };
  const word = words[first] as string;
  const next = second === undefined ? undefined : words[second];
  const following = next === undefined ? {} : { next };
  const isDouble = next !== undefined && isBuiltInAgent(word, next, grammar);
  if (isCommand(grammar, word) && !isDouble) return commandFirst(words, positions, grammar);
  if (!isDouble && !(await isAgent(word))) return { stray: word, ...following, words, hasCommand: false };
  const rest = words.filter((_, index) => index !== first);
  if (next === undefined || !isCommand(grammar, next))
    return { agent: word, ...following, words: rest, hasCommand: false };
  const moved = positions.slice(1).map((position) => position - 1);
  return { agent: word, ...commandFirst(rest, moved, grammar) };
}

function commandFirst(words: readonly string[], [position = 0, next]: readonly number[], grammar: Grammar): Arranged {
  const name = words[position] as string;
  const own = subcommands(grammar, name);
  const takesOwnWords = (grammar.command(name)?.registeredArguments ?? []).length > 0;
  const after = next === undefined ? undefined : words[next];
  const isNested = after !== undefined && own.includes(after);
  const commandPositions = isNested ? [position, next] : [position];
  return {
    words: [
      ...commandPositions.map((each) => words[each as number] as string),
      ...words.filter((_, at) => !commandPositions.includes(at)),
    ],
    ...(after !== undefined && !isNested && own.length > 0 && !takesOwnWords && { unknown: after }),
    hasCommand: true,
  };
}

/** The built-in agent and a command have the same name. The agent is meant unless a subcommand follows. */
function isBuiltInAgent(word: string, next: string, grammar: Grammar): boolean {
  return word === builtInAgentName && !subcommands(grammar, word).includes(next);
}

function isCommand(grammar: Grammar, word: string): boolean {
  return word === 'help' || grammar.command(word) !== undefined;
}

function subcommands(grammar: Grammar, name: string): readonly string[] {
  return (grammar.command(name)?.commands ?? []).flatMap((each) => [each.name(), ...each.aliases()]);
}

/** The positions of the words that are neither options nor their values, and the first option before them that does not exist. */
export function wordPositions(
  words: readonly string[],
  grammar: Grammar,
): { readonly positions: readonly number[]; readonly unknownOption?: string } {
  const positions: number[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    if (word === '--') break;
    if (word.startsWith('-') && word !== '-') {
      const { flag, option } = optionIn(word, grammar);
      if (option === undefined && positions.length === 0) return { positions, unknownOption: word };
      if (option !== undefined && flag === word && takesValue(option, words[index + 1])) index++;
    } else {
      positions.push(index);
      // Build a command before looking up the options that follow it.
      if (positions.length <= 2) grammar.command(word);
    }
  }
  return { positions };
}

/** The option in `--name`, `--name=value`, `-n` or `-nvalue`. */
function optionIn(word: string, grammar: Grammar): { readonly flag: string; readonly option: Option | undefined } {
  const flag = word.startsWith('--') ? (word.split('=', 1)[0] as string) : word.slice(0, 2);
  return { flag, option: grammar.option(flag) };
}

function takesValue({ required, long }: Option, next: string | undefined): boolean {
  return required || (long === '--resume' && next?.startsWith('-') === false);
}
