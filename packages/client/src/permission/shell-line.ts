import {
  type Command,
  forEachChild,
  type HereDoc,
  type HereString,
  type ParameterExpansionPart,
  parse,
  type Redirect,
  type SyntaxNode,
  type TestBinaryExpression,
} from 'unbash';
import { nodeMeanings } from './node-meanings.ts';
import { isHarmlessVariable, isShell, isWrapper } from './risky-commands.ts';
import { quoted, type ShellWord, shellWord } from './shell-word.ts';

/** One command of a line, wherever in it. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** The words as they are most simply written. */
  readonly text: string;
  /** The words as they were typed, one blank between. */
  readonly typed: string;
  /** What it runs, where it is a shell or `eval` with a text that is known. */
  readonly script?: ShellLine;
}

/** What a command line does, as far as it can be told. */
export interface ShellLine {
  readonly source: string;
  /** Every command in it: of pipes, lists, loops, functions, substitutions. */
  readonly commands: readonly ShellCommand[];
  /** Files it writes by redirection. */
  readonly writes: readonly string[];
  /** Files it reads by redirection. */
  readonly reads: readonly string[];
  /** Where it goes with `cd`. */
  readonly folders: readonly string[];
  /** Why nothing can be sure about it. With any of these it is never allowed by a rule about a command. */
  readonly doubts: readonly string[];
  /** One command and nothing else: no redirection, variable or substitution. */
  readonly isSimple: boolean;
}

/** Longer lines are not read. */
const longest = 65_536;
/** What shows as something else than it is, or ends a line for some shells; tabs and new lines are fine. */
const control = /[^\P{Cc}\t\n]/u;
/** Shells in shells that are read. */
const deepest = 8;

/** Reads a command line as Bash does. Never throws: what is not understood is a doubt. */
export function shellLine(source: string): ShellLine {
  return read(source, [], 0);
}

function read(source: string, folders: string[], depth: number): ShellLine {
  const reader = new LineReader(source, folders, depth);
  if (source.length > longest) reader.doubt('it is longer than 64 KiB');
  else if (depth > deepest) reader.doubt('it starts shells in shells in shells');
  else if (control.test(source)) reader.doubt('it holds control characters');
  else reader.read();
  return reader.line();
}

class LineReader {
  readonly #source: string;
  readonly #folders: string[];
  readonly #depth: number;
  readonly #commands: ShellCommand[] = [];
  readonly #writes: string[] = [];
  readonly #reads: string[] = [];
  readonly #doubts = new Set<string>();
  #isSimple = true;

  constructor(source: string, folders: string[], depth: number) {
    this.#source = source;
    this.#folders = folders;
    this.#depth = depth;
  }

  line(): ShellLine {
    return {
      source: this.#source,
      commands: this.#commands,
      writes: this.#writes,
      reads: this.#reads,
      folders: this.#folders,
      doubts: [...this.#doubts],
      isSimple: this.#isSimple && this.#commands.length === 1 && this.#doubts.size === 0,
    };
  }

  doubt(reason: string): void {
    this.#doubts.add(reason);
  }

  read(): void {
    try {
      this.#visit(parse(this.#source));
    } catch {
      this.doubt('it cannot be read');
    }
  }

  #visit(node: SyntaxNode): void {
    const look: string | undefined = nodeMeanings[node.type];
    if (look !== 'plain') this.#isSimple = false;
    // A parser that is newer than this table is not understood.
    if (look !== 'plain' && look !== 'known') this.doubt(look ?? `it holds something unknown (${node.type})`);
    this.#note(node);
    forEachChild(node, (child) => this.#visit(child));
  }

  #note(node: SyntaxNode): void {
    switch (node.type) {
      case 'Script':
        return this.#noteErrors(node.errors);
      case 'Command':
        return this.#noteCommand(node);
      case 'Redirect':
        return this.#noteRedirect(node);
      case 'Assignment':
        return this.#noteVariable(node.name, node.index !== undefined);
      case 'For':
      case 'Select':
        return this.#noteVariable(node.name.value, false);
      case 'FileDescriptorVariable':
        return this.#noteVariable(node.name, false);
      default:
        return this.#noteOddity(node);
    }
  }

  #noteOddity(node: SyntaxNode): void {
    if (node.type === 'HereDoc' && !node.closing) this.doubt('a here-document does not end');
    else if (node.type === 'ParameterExpansion' && !isPlain(node)) this.doubt(`it computes ${node.text}`);
    else if (node.type === 'TestUnary' && /^-[vR]$/.test(node.operator)) this.doubt('it tests a variable by name');
    else if (node.type === 'TestBinary') this.#noteTest(node);
    else if (node.type === 'Statement' && node.background) this.#isSimple = false;
  }

  #noteErrors(errors: readonly { readonly message: string }[] | undefined): void {
    if (errors?.length) this.doubt(`it is not a complete command line: ${errors[0]?.message}`);
  }

  #noteVariable(name: string, isElement: boolean): void {
    if (isElement || !isHarmlessVariable(name)) this.doubt(`it sets the variable ${name}`);
  }

  /** Bash evaluates both sides of these as arithmetic, which may run commands. */
  #noteTest({ operator, left, right }: TestBinaryExpression): void {
    if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator) && !/^\d+ \d+$/.test(`${left.text} ${right.text}`))
      this.doubt('it computes in a test');
  }

  #noteCommand(node: Command): void {
    if (!node.name) return;
    const words = [node.name, ...node.args].map(shellWord);
    const [{ value: name, kind }] = words as [ShellWord];
    if (kind !== 'literal' || name === '' || /[\s\0]/.test(name))
      this.doubt('which command it runs is only known to the shell');
    const script = this.#scriptOf(name, words.slice(1));
    this.#commands.push({
      words,
      text: words.map((word) => (word.kind === 'literal' ? quoted(word.value) : word.text)).join(' '),
      typed: words.map(({ text }) => text).join(' '),
      ...(script && { script }),
    });
    if (name === 'cd') this.#noteFolder(words.slice(1));
    if (name === 'pushd' || name === 'popd') this.doubt(`it changes the folder with ${name}`);
    if (!script && (isWrapper(name) || isShell(name))) this.#noteInput(node);
  }

  #noteFolder(words: readonly ShellWord[]): void {
    const [folder = { value: '~', kind: 'literal' }, more] = words;
    if (more || folder.kind !== 'literal' || folder.value.startsWith('-'))
      this.doubt('where it changes to is only known to the shell');
    else this.#folders.push(folder.value);
  }

  /** Text that is given to a shell is a script. */
  #noteInput(node: Command): void {
    const given = node.redirects.filter((each): each is HereDoc | HereString => each.type !== 'Redirect');
    for (const each of given) {
      const text = each.type === 'HereDoc' ? each.body.text : (each.target?.value ?? '');
      for (const command of read(text, this.#folders, this.#depth + 1).commands) this.#commands.push(command);
      this.doubt('it gives a text to a command that may run it');
    }
  }

  #scriptOf(name: string, rest: readonly ShellWord[]): ShellLine | undefined {
    const text = name === 'eval' ? evaluated(rest) : isShell(name) ? scriptOption(rest) : undefined;
    return text === undefined ? undefined : read(text, this.#folders, this.#depth + 1);
  }

  #noteRedirect({ operator, target }: Redirect): void {
    if (!target) return this.doubt('it redirects to nothing');
    const { value, kind } = shellWord(target);
    if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(value)) return;
    if (/^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/.test(value)) return;
    if (kind !== 'literal') return this.doubt('where it redirects to is only known to the shell');
    if (/^\/dev\/(?:tcp|udp)\//.test(value)) return this.doubt('it redirects to the network');
    (operator === '<' || operator === '<&' ? this.#reads : this.#writes).push(value);
  }
}

function evaluated(rest: readonly ShellWord[]): string | undefined {
  return rest.length > 0 && rest.every(({ kind }) => kind === 'literal')
    ? rest.map(({ value }) => value).join(' ')
    : undefined;
}

/** The text after `-c`, if the options before it are tame. The words after it are only data to the script. */
function scriptOption(rest: readonly ShellWord[]): string | undefined {
  const at = rest.findIndex(({ value }) => /^-[a-z]*c$/.test(value));
  const options = rest.slice(0, at + 1);
  const script = rest[at + 1];
  if (
    at < 0 ||
    script?.kind !== 'literal' ||
    !options.every(({ value, kind }) => kind === 'literal' && isTameOption(value))
  )
    return undefined;
  return script.value;
}

function isTameOption(option: string): boolean {
  return /^-[ceflux]+$/.test(option) || option === '--login' || option === '--norc' || option === '--noprofile';
}

function isPlain({ operation, index, prefix }: ParameterExpansionPart): boolean {
  return !operation && !index && prefix !== '!';
}
