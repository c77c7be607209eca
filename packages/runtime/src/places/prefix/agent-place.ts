import { commandWords } from '@turnwire/client/node';
import { PlaceError } from '../place.ts';
import { type MappedFolder, PathMapping } from './path-mapping.ts';

/** An agent and its commands run behind the words of another command, which enters a container or another machine. */
export interface AgentPlace {
  /** The command before that of the agent, such as `podman exec -i box`. `${cwd}` is the folder of the session. */
  readonly prefix: string | readonly string[];
  /** The folders here, and their paths there. `${cwd}` is the folder of the session. Default: every path is the same. */
  readonly paths?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether the mapped folders are the same files here and there. If not, the agent is not offered files of this machine. Default: true.
   */
  readonly sharesFiles?: boolean | undefined;
  /** Whether the prefix takes words, or one line for a shell. Default: a line for `ssh`, words for all others. */
  readonly takes?: 'words' | 'line' | undefined;
}

/** The prefix of a place for the sessions in a folder. Throws PlaceError if it is empty, or a path is not absolute. */
export class PlacePrefix {
  readonly mapping: PathMapping;
  readonly #words: readonly string[];
  readonly #takesLine: boolean;

  constructor(place: AgentPlace, cwd: string) {
    const { prefix, paths, takes } = place;
    const words = typeof prefix === 'string' ? commandWords(prefix) : prefix;
    if (words.length === 0) throw new PlaceError('the prefix of the place of an agent is empty');
    this.#words = words.map((word) => word.replaceAll('${cwd}', () => cwd));
    this.mapping = new PathMapping(foldersIn(paths ?? { '/': '/' }, cwd));
    const [program = ''] = words;
    this.#takesLine = takes === undefined ? /(?:^|\/)ssh$/.test(program) : takes === 'line';
  }

  /** The words that run a command there. */
  around(words: readonly string[]): readonly string[] {
    return [...this.#words, ...(this.#takesLine ? [words.map(quoted).join(' ')] : words)];
  }

  /** The words that run a command there in a folder, with variables. */
  inFolder(words: readonly string[], folder: string, variables: readonly string[]): readonly string[] {
    const set = variables.length === 0 ? [] : ['env', ...variables];
    return this.around(['sh', '-c', 'cd -- "$1" && shift && exec "$@"', 'sh', folder, ...set, ...words]);
  }
}

function foldersIn(paths: Readonly<Record<string, string>>, cwd: string): readonly MappedFolder[] {
  return Object.entries(paths).map(([from, to]) => ({ here: folder(from, cwd), there: folder(to, cwd) }));
}

function folder(path: string, cwd: string): string {
  const whole = path.replaceAll('${cwd}', () => cwd).replace(/(?<=.)\/+$/, '');
  if (whole.startsWith('/')) return whole;
  throw new PlaceError(
    `the paths of the place of an agent must be absolute, or begin with \${cwd}, but one is ${JSON.stringify(path)}`,
  );
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
