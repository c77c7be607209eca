import type { ShellCommand } from './shell-line.ts';
import { anyText, quoted, type ShellWord } from './shell-word.ts';

/**
 * The commands that do all that a command does, if it is one that adds nothing to them: `timeout 60 x` is `x`, `find . -exec x {} +` is the
 * search and `x`, and `git --no-pager log` is `git log`. Undefined for any other command.
 */
export function partsOf(whole: ShellCommand): readonly ShellCommand[] | undefined {
  if (!known.has(whole)) known.set(whole, findParts(whole));
  return known.get(whole);
}

/** The same parts each time, so that they can be told apart like other commands. */
const known = new WeakMap<ShellCommand, readonly ShellCommand[] | undefined>();

function findParts({ words: [name, ...rest] }: ShellCommand): readonly ShellCommand[] | undefined {
  if (name?.kind !== 'literal') return undefined;
  if (name.value === 'timeout') return behind(rest, timeoutOptions, /^\d+(?:\.\d+)?[smhd]?$/);
  if (name.value === 'nice') return behind(rest, niceOptions);
  if (name.value === 'find') return searchParts(name, rest);
  return name.value === 'git' ? gitParts(name, rest) : undefined;
}

/** The folder that `git -C` names; undefined if there is none. */
export function gitFolder({ words: [name, ...rest] }: Pick<ShellCommand, 'words'>): ShellWord | undefined {
  const at = name?.value === 'git' ? globals(rest).findIndex(({ value }) => value === '-C') : -1;
  return at < 0 ? undefined : rest[at + 1];
}

const timeoutOptions = /^(?:--foreground|--preserve-status|--verbose|-v|(?:-[ks]|--kill-after=|--signal=)\w+)$/;
const niceOptions = /^(?:-n-?\d+|-\d+|--adjustment=-?\d+)$/;
const gitOptions = /^(?:-P|--(?:no-pager|no-optional-locks|literal-pathspecs|no-replace-objects))$/;

/** The command behind options, and behind one operand if there must be one. */
function behind(words: readonly ShellWord[], options: RegExp, operand?: RegExp): readonly ShellCommand[] | undefined {
  const at = optionCount(words, options);
  const limit = words[at];
  if (operand !== undefined && !(limit?.kind === 'literal' && operand.test(limit.value))) return undefined;
  const inner = words.slice(operand === undefined ? at : at + 1);
  return isProgram(inner[0]) ? [command(inner)] : undefined;
}

/** How many words are options and the values of options such as `-k 5`. */
function optionCount(words: readonly ShellWord[], options: RegExp): number {
  let at = 0;
  for (let word = words[0]; word?.kind === 'literal'; word = words[at]) {
    const next = words[at + 1];
    const value = /^-[kns]$/.test(word.value) && next?.kind === 'literal' ? next.value : undefined;
    if (!options.test(`${word.value}${value ?? ''}`)) break;
    at += value === undefined ? 1 : 2;
  }
  return at;
}

/** What was found begins with the folder that was searched, so it is never an option. */
const foundFile: ShellWord = { value: '{}', text: '{}', kind: 'computed', becomes: `./${anyText}`, isSplit: false };

function searchParts(name: ShellWord, words: readonly ShellWord[]): readonly ShellCommand[] | undefined {
  const search = [name];
  const inner: ShellCommand[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const run = word?.kind === 'literal' && word.value === '-exec' ? executed(words.slice(at + 1)) : [];
    if (!run) return undefined;
    if (run.length > 0) inner.push(command(run.map((each) => (each.value === '{}' ? foundFile : each))));
    else if (word) search.push(word);
    at += run.length === 0 ? 0 : run.length + 1;
  }
  return inner.length > 0 ? [command(search), ...inner] : undefined;
}

/** The words of a command up to `;` or `+`; undefined if what was found is used in another way than as a word of its own. */
function executed(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const end = words.findIndex(({ value }, at) => value === ';' || (value === '+' && words[at - 1]?.value === '{}'));
  const run = words.slice(0, Math.max(end, 0));
  const isPlain = run.every(({ value }) => value === '{}' || !value.includes('{}'));
  return isPlain && isProgram(run[0]) && run[0]?.value !== '{}' ? run : undefined;
}

/** Another program can start `cd` on some systems, but only the shell's own changes the folder of the line. */
function isProgram(word: ShellWord | undefined): boolean {
  return word?.kind === 'literal' && word.value !== 'cd';
}

function gitParts(name: ShellWord, words: readonly ShellWord[]): readonly ShellCommand[] | undefined {
  const before = globals(words);
  const folders = before.filter(({ value }) => value === '-C').length;
  return before.length > 0 && folders < 2 ? [command([name, ...words.slice(before.length)])] : undefined;
}

/** The options before the verb that change neither what git runs nor its settings, except by a folder. */
function globals(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  for (let word = words[0]; word?.kind === 'literal'; word = words[at]) {
    if (gitOptions.test(word.value)) at += 1;
    else if (word.value === '-C' && words[at + 1]?.kind === 'literal') at += 2;
    else break;
  }
  return words.slice(0, at);
}

function command(words: readonly ShellWord[]): ShellCommand {
  return {
    words,
    text: words.map((word) => (word.kind === 'literal' ? quoted(word.value) : word.text)).join(' '),
    typed: words.map(({ text }) => text).join(' '),
  };
}
