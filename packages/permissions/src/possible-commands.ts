import { basename } from 'node:path/posix';
import { partsOf } from './command-parts.ts';
import { hasRiskyOptions, optionsOf } from './command-options.ts';
import { withLoops } from './loop-words.ts';
import { mayChangeFiles } from './may-change-files.ts';
import { changesFiles, isInterpreter, isPlain, isWrapper } from './risky-commands.ts';
import { type ShellCommand, type ShellLine, shellLine } from './shell-line.ts';
import { anyText, mayAddWords, type ShellWord } from './shell-word.ts';

/** A command that a line runs, or may run. */
export interface PossibleCommand extends ShellCommand {
  /** Whether it runs for certain, as far as the line is run. */
  readonly isSure: boolean;
  /** The files that stand for `{}` in it. */
  readonly found?: FoundFiles | undefined;
}

/** The files that a `find` with one name pattern, or none, matches. */
export interface FoundFiles {
  readonly folders: readonly ShellWord[];
  /** Patterns for the name of a file. */
  readonly names: readonly string[];
  readonly isCaseless?: boolean;
  /** Whether names with a leading dot are left out. */
  readonly skipsHidden?: boolean;
}

/**
 * Every command that a line runs or may run: its own, those in scripts, behind wrappers such as `timeout` and `find -exec`, in texts that a
 * program may run, and those that begin at a later word of a program whose words are not known. All that rules deny or ask about is found in
 * this list.
 */
export function possibleCommands(line: ShellLine): readonly PossibleCommand[] {
  const found = known.get(line) ?? collected(line, { isSure: true, depth: 0 });
  known.set(line, found);
  return found;
}

const known = new WeakMap<ShellLine, readonly PossibleCommand[]>();

/** Texts in texts in texts are read this deep. */
const deepest = 4;
/** Most words at which another command may begin. With more of them the files of a line are unclear. */
const mostStarts = 1_000;

interface Place {
  readonly isSure: boolean;
  readonly depth: number;
}

function collected(line: ShellLine, place: Place): readonly PossibleCommand[] {
  return line.commands.flatMap((each) => {
    const command = { ...each, words: withLoops(each.words, line.loops) };
    return [{ ...command, isSure: place.isSure, found: foundFiles(command) }, ...within(command, place)];
  });
}

function within(command: ShellCommand, place: Place): readonly PossibleCommand[] {
  if (command.script) return collected(command.script, place);
  const parts = partsOf(command);
  const found = foundFiles(command);
  if (parts) return parts.flatMap((part) => [{ ...part, isSure: place.isSure, found }, ...within(part, place)]);
  if (!mayRunItsWords(command)) return [];
  return [...laterCommands(command), ...(place.depth < deepest ? textCommands(command, place.depth) : [])];
}

/** Undefined for a search that several names decide, or that acts before it looks at the name, and for other commands. */
function foundFiles({ words: [program, ...rest] }: ShellCommand): FoundFiles | undefined {
  if (basename(program?.value ?? '') !== 'find') return undefined;
  const values = rest.map(({ value }) => value);
  const names = values.flatMap((value, at) => (/^-i?name$/.test(value) ? [at] : []));
  const [at] = names;
  const isLate = values.slice(0, at ?? 0).some((value) => /^-(?:exec|ok|delete|fprint|fls)/.test(value));
  if (names.length > 1 || isLate || values.some((value) => otherSearch.test(value))) return undefined;
  const options = values.findIndex((value) => value.startsWith('-'));
  const folders = options < 0 ? rest : rest.slice(0, options);
  if (at === undefined) return { folders, names: ['*'] };
  const name = rest[at + 1];
  return name?.kind === 'literal' ? { folders, names: [name.value], isCaseless: values[at] === '-iname' } : undefined;
}

/** With these, names are not all that decides. */
const otherSearch = /^(?:-o|-or|-not|!|\(|\)|,|-[HL]|-follow|-files0-from)$/;

/** Whether a command may run other commands, from its words or from files. */
export function mayRunOthers({ words }: ShellCommand): boolean {
  const name = words[0]?.value ?? '';
  return isWrapper(name) || isInterpreter(name) || hasRiskyOptions(words) || isPackageRun(words);
}

/** `npm exec -- x` and its like. */
function isPackageRun(words: ShellCommand['words']): boolean {
  const isManager = /^(?:npm|pnpm|yarn)$/.test(basename(words[0]?.value ?? ''));
  return isManager && /^(?:exec|x|dlx|explore)$/.test(optionsOf(words)?.operands[0]?.value ?? '');
}

/** Whether a command may run its words: it may run others, or the program is unknown. */
export function mayRunItsWords(command: ShellCommand): boolean {
  const { words } = command;
  return mayRunOthers(command) || (!isPlain(words[0]?.value ?? '') && !optionsOf(words));
}

/** The first word from which on the words are a command that changes files. It includes all later ones. */
function laterCommands(command: ShellCommand): readonly PossibleCommand[] {
  const { words } = command;
  const runsOthers = mayRunOthers(command);
  const at = words
    .slice(0, mostStarts)
    .findIndex(
      (word, start) => start > 0 && ((runsOthers && mayAddWords(word)) || changes(words.slice(start, start + 2))),
    );
  if (at < 0) return [];
  // The shell may make several words of one: the last of `env x=$(cat file)` may be the program.
  const rest = words.slice(at).map((word) => (mayAddWords(word) ? { ...word, becomes: anyText } : word));
  return [{ words: rest, text: '', typed: rest.map(({ text }) => text).join(' '), isSure: false }];
}

function textCommands({ words }: ShellCommand, depth: number): readonly PossibleCommand[] {
  const texts = words.slice(1, mostStarts).flatMap(({ value }) => textsIn(value));
  return texts.flatMap((text) => collected(shellLine(text), { isSure: false, depth: depth + 1 }));
}

/** A word with blanks or operators may be a line: `watch 'cat x'`, `ex -c '!rm x'`, `git -c alias.x='!rm x' x`. */
function textsIn(word: string): readonly string[] {
  const [, alias] = /^alias\.[\w-]+=(.*)$/s.exec(word) ?? [];
  if (alias !== undefined) return [alias.startsWith('!') ? alias.slice(1) : `git ${alias}`];
  return /[\s;&|$`(]/.test(word) ? [word.replace(/^[\s:!+\\]+/, '')] : [];
}

/** Whether a command changes files that it names, or may. */
export function changes(words: ShellCommand['words']): boolean {
  return changesFiles(words[0]?.value ?? '') || mayChangeFiles(words);
}

/** Programs that unpack files, and verbs of git that place files of other commits in the working tree. */
const unpackers = /^(?:7z|bsdtar|bunzip2|bzip2|cpio|gunzip|gzip|hg|patch|svn|tar|unxz|unzip|unzstd|xz|zstd)$/;
const placingVerbs =
  /^(?:am|apply|checkout|checkout-index|cherry-pick|merge|pull|read-tree|rebase|reset|restore|revert|stash|submodule|switch)$/;

/** Whether a command may place files that its words do not name. */
export function placesFiles({ words: [name, ...rest] }: ShellCommand): boolean {
  const program = basename(name?.value ?? '');
  return program === 'git' ? rest.some(({ value }) => placingVerbs.test(value)) : unpackers.test(program);
}

/** Programs that put files where an archive or a patch says, with the words that make them do so. */
const unpacking: Readonly<Record<string, RegExp>> = {
  '7z': /^[ex] /,
  bsdtar: /^-?[a-zA-Z]*x| -[a-zA-Z]*x/,
  cpio: /^/,
  git: /^(?!.* --(?:check|numstat|stat|summary)\b).*\b(?:am|apply) /,
  patch: /^/,
  pax: /^/,
  tar: /^-?[a-zA-Z]*x| -[a-zA-Z]*x|--(?:extract|get)\b/,
  unzip: /^(?!-[lptvZz]+ )/,
};

export function unpacks({ words: [name, ...rest] }: ShellCommand): boolean {
  const program = basename(name?.value ?? '');
  const words = rest.map(({ value }) => `${value} `).join('');
  return Object.hasOwn(unpacking, program) && unpacking[program]?.test(words) === true;
}

/** Whether some of the words of a command come from its input or from a file: only those know which files it reads and changes. */
export function hasWordsFromElsewhere({ words }: ShellCommand): boolean {
  const program = basename(words[0]?.value ?? '');
  if (/^(?:xargs|parallel|cpio|pax)$/.test(program)) return true;
  const options = words.slice(1).map(({ value }) => value);
  const isArchiver = program === 'tar' || program === 'bsdtar' || program === 'rsync' || program === 'zip';
  return options.some(
    (option) =>
      /^--?(?:files0?-from|arg-file|from-file)\b/.test(option) ||
      (isArchiver && /^-\w*[T@]/.test(option)) ||
      (/^fd(?:find)?$/.test(program) && /^(?:-[xX]|--exec)/.test(option)) ||
      (program === 'git' && /^--(?:stdin|batch(?!-check)|pathspec-f)/.test(option)),
  );
}
