import type { FoundFiles } from './possible-commands.ts';
import type { ShellCommand } from './shell-line.ts';

const grep = /^[ef]?grep$/;
/** Searches that use the working directory if no folder is named. */
const treeSearches = /^(?:ack|ag|rg)$/;
/** Programs that read files of their languages in the named folders. */
const compilers = /^(?:eslint|jest|oxlint|tsc|vitest)$/;
const sources = ['*.js', '*.jsx', '*.ts', '*.tsx', '*.?js', '*.?ts', '*.json', '*.svelte', '*.vue'];

/** The files that a program searches for in folders: those its options name, those of its languages, or those without a leading dot. */
export function searchedNames({ words }: ShellCommand): FoundFiles | undefined {
  const values = words.map(({ value }) => value);
  const [program = ''] = /^(?:npx|bunx)$/.test(values[0] ?? '') ? values.slice(1) : values;
  if (compilers.test(program)) return { folders: [], names: sources };
  if (grep.test(program)) return named(valuesOf(values, /^--include(?:=|$)/));
  if (program !== 'rg' || values.some((value) => value.startsWith('--iglob'))) return undefined;
  const globs = valuesOf(values, /^(?:-g|--glob(?:=|$))/).filter((glob) => !glob.startsWith('!'));
  if (globs.length > 0) return named(globs);
  const isHidden = values.some((value) => /^(?:--hidden|-[a-zA-Z]*\.|-[a-zA-Z]*uu+\w*|-u|--unrestricted)$/.test(value));
  return isHidden ? undefined : { folders: [], names: ['*'], skipsHidden: true };
}

function named(names: readonly string[]): FoundFiles | undefined {
  return names.length === 0 || names.some((name) => /[/{]/.test(name)) ? undefined : { folders: [], names };
}

/** The values of an option, in the same word or in the next one. */
function valuesOf(words: readonly string[], option: RegExp): readonly string[] {
  return words.flatMap((word, at) => (option.test(word) ? [word.replace(option, '') || (words[at + 1] ?? '')] : []));
}

/** Whether a search without a folder starts in the working directory and reads or changes files. */
export function searchesHere({ words }: ShellCommand): boolean {
  const [name = '', ...rest] = words.map(({ value }) => value);
  if (name === 'find') return rest.length === 0 || rest[0]?.startsWith('-') === true;
  if (name === 'git') return rest.includes('grep') && rest.some((value) => /^--(?:no-in|untr)/.test(value));
  return isTreeSearch(name, rest) && operandCount(name, rest) < (rest.some((value) => pattern.test(value)) ? 1 : 2);
}

/** Options that contain the search pattern. */
const pattern = /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file)\b)/;

function isTreeSearch(name: string, options: readonly string[]): boolean {
  const recursive = /^(?:-[a-zA-Z]*[rR]\w*|--(?:dereference-)?recursive)$/;
  if (grep.test(name)) return options.some((value) => recursive.test(value));
  return treeSearches.test(name) && !options.some((value) => /^--(?:files|type-list|version|help)$/.test(value));
}

function operandCount(name: string, words: readonly string[]): number {
  const taking = grep.test(name) ? /^-[a-zA-Z]*[ABCDdefm]$/ : /^-[a-zA-Z]*[ABCEGMTdefgjmrt]$/;
  const isValue = (before = ''): boolean => taking.test(before) || longTaking.test(before);
  return words.filter((word, at) => !word.startsWith('-') && !isValue(words[at - 1])).length;
}

const longTaking =
  /^--(?:(?:after-|before-)?context|binary-files|colou?r|devices|directories|exclude(?:-dir|-from)?|file|i?glob|include|label|max-(?:columns|count|depth|filesize)|regexp|replace|sortr?|threads|type(?:-not)?)$/;
