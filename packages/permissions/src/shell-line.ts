import { type CommandShell, shellAt } from '@turnwire/machine';
import {
  type Assignment,
  type Command,
  forEachChild,
  type HereDoc,
  type HereString,
  type ParameterExpansionPart,
  parse,
  type Pipeline,
  type Redirect,
  type SyntaxNode,
  type TestBinaryExpression,
} from 'unbash';
import { hiddenText } from './hidden-text.ts';
import { loopWords } from './loop-words.ts';
import { isNumeric, nodeMeanings } from './node-meanings.ts';
import { beyondPosix } from './portable-syntax.ts';
import { isHarmlessVariable, isInterpreter, isShell, isWrapper } from './risky-commands.ts';
import { builtinDoubt } from './shell-builtins.ts';
import { anyText, quoted, type ShellWord, shellWord } from './shell-word.ts';

/** One command, anywhere in a line. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** The words in their simplest form. */
  readonly text: string;
  /** The words as typed, with single spaces. */
  readonly typed: string;
  /** The script it runs, if it is a shell or `eval` with a known text. */
  readonly script?: ShellLine;
}

/** The effect of a command line, as far as it is known. */
export interface ShellLine {
  readonly source: string;
  /** All its commands: in pipes, lists, loops, functions, substitutions. */
  readonly commands: readonly ShellCommand[];
  /** Files it writes by redirection. */
  readonly writes: readonly string[];
  /** Files it reads by redirection. */
  readonly reads: readonly string[];
  /** Variables that only a loop over literal words sets, with these words. */
  readonly loops: ReadonlyMap<string, readonly ShellWord[]>;
  /** The targets of its `cd` commands. */
  readonly folders: readonly string[];
  /** False for a line that exceeds the limits and was not parsed. */
  readonly isRead: boolean;
  /** Why it is unclear. With any doubt, no rule about a command allows the line. */
  readonly doubts: readonly string[];
  /** A single command without redirection, variable or substitution. */
  readonly isSimple: boolean;
  /** Whether its commands run one after the other, in this order and at most once each. */
  readonly isSequential: boolean;
}

/** The dialect of the shell, as far as it is known: see `CommandShell`. */
export type LineReading = CommandShell['reads'];

/** The limits of a line that is parsed: the time to parse and judge it grows faster than its length. */
const bounds = { length: 65_536, words: 2_000, commands: 500, nesting: 50 } as const;
/** Deceptive characters, and those that end a line or are blanks in only some shells. Tabs and newlines are allowed. */
const unreadable = /[^\P{Cc}\t\n]|[^\P{Z} ]/u;
/** Text that `cmd.exe` parses as POSIX shells do. */
const plainWords = /^[\w ./:=@,+-]*$/;
/** The maximum depth of nested shells that is parsed. */
const deepest = 8;

/**
 * Parses a command line as Bash does. Never throws: unknown syntax is a doubt, and so are constructs that the shell might parse in another
 * way.
 * @param reads the dialect of that shell. Default: some POSIX shell
 */
export function shellLine(source: string, reads: LineReading = 'posix'): ShellLine {
  return read({ source, folders: [], depth: 0, reads });
}

/** The doubts about a line and its scripts. */
export function doubtsOf({ doubts, commands }: ShellLine): readonly string[] {
  return [...doubts, ...commands.flatMap(({ script }) => (script ? doubtsOf(script) : []))];
}

/** Nodes whose commands run at the same time as others, repeatedly, or before the command that contains them. */
const unordered: ReadonlySet<string> = new Set(
  'ArithmeticFor CommandExpansion Coproc For Function ProcessSubstitution Select While'.split(' '),
);

interface Reading {
  readonly source: string;
  /** The targets of `cd`, filled during parsing. */
  readonly folders: string[];
  readonly depth: number;
  readonly reads: LineReading;
}

function read(reading: Reading): ShellLine {
  const { source, depth, reads } = reading;
  const beyond = boundExceeded(source);
  const reader = new LineReader(reading, beyond === undefined);
  if (beyond !== undefined) reader.doubt(beyond);
  else if (depth > deepest) reader.doubt('it starts shells in shells in shells');
  else if (unreadable.test(source)) reader.doubt('it contains control characters or unusual spaces');
  else reader.read();
  if (reads === 'cmd' && !plainWords.test(source)) reader.doubt('the Windows shell may parse it differently');
  return reader.line();
}

/** The limit that a line exceeds. The counts are made before parsing, so they include quoted text. */
function boundExceeded(source: string): string | undefined {
  if (source.length > bounds.length) return 'it is longer than 64 KiB';
  if (matchCount(source, /[^\s;&|]+/g) > bounds.words) return `it has more than ${bounds.words} words`;
  if (matchCount(source, /[;&|\n]+/g) > bounds.commands) return `it has more than ${bounds.commands} commands`;
  let depth = 0;
  for (const [bracket] of source.matchAll(/[(){}]/g)) {
    depth = Math.max(0, depth + (bracket === '(' || bracket === '{' ? 1 : -1));
    if (depth > bounds.nesting) break;
  }
  const isDeep = depth > bounds.nesting || matchCount(source, /`/g) > 2 * bounds.nesting;
  return isDeep ? `it is nested deeper than ${bounds.nesting} levels` : undefined;
}

function matchCount(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

class LineReader {
  readonly #reading: Reading;
  readonly #isRead: boolean;
  readonly #commands: ShellCommand[] = [];
  readonly #writes: string[] = [];
  readonly #reads: string[] = [];
  readonly #doubts = new Set<string>();
  #loops: ShellLine['loops'] = new Map();
  #isSimple = true;
  #isSequential = true;

  constructor(reading: Reading, isRead: boolean) {
    this.#reading = reading;
    this.#isRead = isRead;
  }

  line(): ShellLine {
    return {
      source: this.#reading.source,
      isRead: this.#isRead,
      commands: this.#commands,
      writes: this.#writes,
      reads: this.#reads,
      loops: this.#loops,
      folders: this.#reading.folders,
      doubts: [...this.#doubts],
      isSimple: this.#isSimple && this.#commands.length === 1 && this.#doubts.size === 0,
      isSequential: this.#isSequential,
    };
  }

  doubt(reason: string): void {
    this.#doubts.add(reason);
  }

  read(): void {
    try {
      const script = parse(this.#reading.source);
      this.#visit(script);
      this.#loops = loopWords(script, this.#reading.source);
    } catch {
      this.doubt('it cannot be parsed');
    }
  }

  #visit(node: SyntaxNode): void {
    const meaning: string | undefined = isNumeric(node) ? 'known' : nodeMeanings[node.type];
    if (meaning !== 'plain') this.#isSimple = false;
    if (unordered.has(node.type)) this.#isSequential = false;
    // Nodes of a newer parser are unknown.
    if (meaning !== 'plain' && meaning !== 'known') this.doubt(meaning ?? `it contains unknown syntax (${node.type})`);
    const beyond = this.#reading.reads === 'bash' ? undefined : beyondPosix(node);
    if (beyond !== undefined) this.doubt(beyond);
    const hidden = hiddenText(node);
    if (hidden !== undefined) this.doubt(hidden);
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
        return isHarmlessSetting(node) ? undefined : this.#noteVariable(node.name, node.index !== undefined);
      case 'For':
      case 'Select':
        return this.#noteVariable(node.name.value, false);
      case 'FileDescriptorVariable':
        return this.#noteVariable(node.name, false);
      case 'Pipeline':
        return this.#notePipeline(node);
      case 'AnsiCQuoted':
        return this.#noteEscapes(node.text);
      default:
        return this.#noteOddity(node);
    }
  }

  #noteOddity(node: SyntaxNode): void {
    if (node.type === 'HereDoc' && !node.closing) this.doubt('a here-document does not end');
    else if (node.type === 'ParameterExpansion' && !isPlain(node)) this.doubt(`it computes ${node.text}`);
    else if (node.type === 'TestUnary' && /^-[vR]$/.test(node.operator)) this.doubt('it tests a variable by name');
    else if (node.type === 'TestBinary') this.#noteTest(node);
    else if (node.type === 'Statement' && node.background) this.#isSimple = this.#isSequential = false;
  }

  #noteErrors(errors: readonly { readonly message: string }[] | undefined): void {
    if (errors?.length) this.doubt(`it is not a complete command line: ${errors[0]?.message}`);
  }

  #noteVariable(name: string, isElement: boolean): void {
    if (isElement || !isHarmlessVariable(name)) this.doubt(`it sets the variable ${name}`);
  }

  /** Adds doubts about a test: Bash evaluates both sides of these operators as arithmetic, which may run commands. */
  #noteTest({ operator, left, right }: TestBinaryExpression): void {
    if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator) && !/^\d+ \d+$/.test(`${left.text} ${right.text}`))
      this.doubt('it computes in a test');
  }

  #noteCommand(node: Command): void {
    if (!node.name) return;
    const words = [node.name, ...node.args].map(shellWord);
    const name = node.name.value;
    const script = this.#scriptOf(name, words.slice(1));
    this.#commands.push({
      words,
      text: words.map((word) => (word.kind === 'literal' ? quoted(word.value) : word.text)).join(' '),
      typed: words.map(({ text }) => text).join(' '),
      ...(script && { script }),
    });
    if (name === 'cd') this.#noteFolder(words.slice(1));
    if (!script && (isWrapper(name) || isShell(name))) this.#noteInput(node);
    const doubts = [nameDoubt(words), builtinDoubt(words), script ? undefined : scriptDoubt(words), gluedDoubt(node)];
    for (const doubt of doubts) if (doubt !== undefined) this.doubt(doubt);
  }

  #noteFolder(words: readonly ShellWord[]): void {
    const [folder = { value: '~', kind: 'literal' }, more] = words;
    if (more || folder.kind !== 'literal' || folder.value.startsWith('-'))
      this.doubt('only the shell knows the new working directory');
    else this.#reading.folders.push(folder.value);
  }

  /** Adds doubts about escapes that have different meanings in different versions, or end the word. */
  #noteEscapes(text: string): void {
    if (/\\[^nrt\\'"]/.test(text)) this.doubt(`it contains escapes (${text})`);
  }

  /** Adds doubts about a pipe, whose output may be a script for the shell at its end. */
  #notePipeline({ commands }: Pipeline): void {
    if (commands.length > 1) this.#isSequential = false;
    const fed = commands.slice(1).find((each) => each.type === 'Command' && runsItsInput(each));
    if (fed) this.doubt('it runs the output of another command');
  }

  /** Adds doubts about the input of a shell, which is a script. */
  #noteInput(node: Command): void {
    const given = node.redirects.filter((each): each is HereDoc | HereString => each.type !== 'Redirect');
    for (const each of given) {
      const text = each.type === 'HereDoc' ? each.body.text : (each.target?.value ?? '');
      for (const command of this.#readInner(text, 'posix').commands) this.#commands.push(command);
      this.doubt('it passes a text to a command that may run it');
    }
  }

  #scriptOf(name: string, rest: readonly ShellWord[]): ShellLine | undefined {
    const text = name === 'eval' ? evaluated(rest) : isSystemShell(name) ? scriptOption(rest) : undefined;
    return text === undefined
      ? undefined
      : this.#readInner(text, name === 'eval' ? this.#reading.reads : shellAt(name).reads);
  }

  #readInner(source: string, reads: LineReading): ShellLine {
    const { folders, depth } = this.#reading;
    return read({ source, folders, depth: depth + 1, reads });
  }

  #noteRedirect({ operator, target }: Redirect): void {
    if (!target) return this.doubt('it redirects to nothing');
    const { value, kind } = shellWord(target);
    if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(value)) return;
    // Bash ends the number here, and the rest becomes a word of the command.
    if (/^[<>]&$/.test(operator) && /^[\d-]/.test(value)) return this.doubt('the end of a redirection is ambiguous');
    if (/^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/.test(value)) return;
    if (kind !== 'literal') return this.doubt('only the shell knows the target of a redirection');
    if (/^\/dev\/(?:tcp|udp)\//.test(value)) return this.doubt('it redirects to the network');
    if (operator.startsWith('<')) this.#reads.push(value);
    if (operator !== '<' && operator !== '<&') this.#writes.push(value);
  }
}

/** Whether an assignment is harmless, such as `NODE_OPTIONS=--max-old-space-size=4096`, which loads no code. */
function isHarmlessSetting({ name, value, index, append }: Assignment): boolean {
  const isPlain = name === 'NODE_OPTIONS' && index === undefined && !append && value.type === 'Word';
  return isPlain && value.parts === undefined
    ? nodeOptions.test(value.value)
    : isPlain && nodeOptions.test(shellWord(value).becomes);
}

const nodeOptions =
  /^(?:\s*--(?:max-(?:old|semi)-space-size=\d+|stack-trace-limit=\d+|(?:no|trace)-(?:deprecation|warnings)|enable-source-maps|experimental-(?:vm-modules|strip-types)))*$/;

/** Whether a name is a shell of the system. A program that only has such a name, like `./bash`, may do anything with its words. */
function isSystemShell(name: string): boolean {
  return isShell(name) && (!name.includes('/') || /^\/(?:usr\/(?:local\/)?)?bin\/\w+$/.test(name));
}

/** Whether a command runs its input: a shell or an interpreter without a script, or a command such as `xargs`. */
function runsItsInput({ name, args }: Command): boolean {
  if (!name) return false;
  const [program, ...rest] = [name, ...args].map(shellWord);
  if (!program || (isShell(program.value) && scriptOption(rest) !== undefined)) return false;
  const hasScript = rest.some(({ value }) => !value.startsWith('-') || value === '-c' || value === '-e');
  if (/^(?:at|batch|crontab)$/.test(program.value)) return true;
  return isShell(program.value) || (isInterpreter(program.value) && !hasScript);
}

function nameDoubt([name]: readonly ShellWord[]): string | undefined {
  const isKnown = name?.kind === 'literal' && /^[^\s\0]+$/.test(name.value);
  return isKnown ? undefined : 'only the shell knows which command it runs';
}

/** The doubt about a shell with a text to run, or `eval`, whose text is unknown. */
function scriptDoubt([name, ...rest]: readonly ShellWord[]): string | undefined {
  const isGiven = isShell(name?.value ?? '')
    ? rest.some(({ becomes }) => becomes.startsWith(anyText) || /^-[^-]*[c\0]/.test(becomes))
    : name?.value === 'eval' && rest.length > 0;
  return isGiven ? 'only the shell knows which script it runs' : undefined;
}

/** The doubt about text attached to a substitution: it belongs to the same word, although the parser separates them. */
function gluedDoubt({ name, args }: Command): string | undefined {
  const isGlued = [name, ...args].some((word, at, all) => word !== undefined && word.pos === all[at - 1]?.end);
  return isGlued ? 'the ends of its words are ambiguous' : undefined;
}

/** The text that `eval` runs. Bash skips `--`, but dash runs it as a command. */
function evaluated(rest: readonly ShellWord[]): string | undefined {
  return rest.length > 0 && rest[0]?.value !== '--' && rest.every(({ kind }) => kind === 'literal')
    ? rest.map(({ value }) => value).join(' ')
    : undefined;
}

/** The text after `-c`, if the options before it are harmless. The words after it are only data for the script. */
function scriptOption(rest: readonly ShellWord[]): string | undefined {
  const at = rest.findIndex(({ value }) => /^-[a-z]*c$/.test(value));
  const options = rest.slice(0, at + 1);
  const script = rest[at + 1];
  if (
    at < 0 ||
    script?.kind !== 'literal' ||
    !options.every(({ value, kind }) => kind === 'literal' && isHarmlessOption(value))
  )
    return undefined;
  return script.value;
}

function isHarmlessOption(option: string): boolean {
  return /^-[ceflux]+$/.test(option) || option === '--login' || option === '--norc' || option === '--noprofile';
}

function isPlain({ operation, index, prefix }: ParameterExpansionPart): boolean {
  return !operation && !index && prefix !== '!';
}
