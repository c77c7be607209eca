import { basename, resolve } from 'node:path';
import type { ShellCommand, ShellLine } from '../../src/shell-line.ts';
import type { ShellWord } from '../../src/shell-word.ts';
import type { Observed } from './slot.ts';

/** Commands that run others, and shells with an unknown text. The parser does not claim to know which ones. */
const runsOthers =
  /^(?:alias|bind|builtin|command|compgen|complete|enable|eval|exec|fc|hash|mapfile|readarray|source|trap|sh|bash|\.)$/;

/** Whether the parse of a line claims to know everything that it runs. */
export function isSure(line: ShellLine): boolean {
  return (
    line.doubts.length === 0 &&
    line.commands.every(({ words, script }) => (script ? isSure(script) : !runsOthers.test(words[0]?.value ?? '')))
  );
}

/** The effects that a sure parse does not contain. */
export function unread(line: ShellLine, { calls, missing, changed }: Observed, project: string): readonly string[] {
  const lines = all(line);
  const commands = lines.flatMap((each) => each.commands);
  const folders = lines.flatMap((each) => each.folders);
  const writes = lines
    .flatMap((each) => each.writes)
    .flatMap((path) => [resolve(project, path), ...folders.map((each) => resolve(project, each, path))]);
  return [
    ...calls
      .filter(({ file, args }) => !commands.some((each) => isCall(each, file, args)))
      .map(({ file, args }) => `ran ${JSON.stringify([basename(file), ...args])}`),
    ...missing
      .filter((name) => !commands.some(({ words }) => isNamed(words[0]?.value ?? '', name)))
      .map((name) => `looked for ${name}`),
    ...changed
      .filter(
        (path) =>
          folders.length < 2 &&
          !writes.some(
            (each) => each === resolve(project, path) || (basename(each) === 'link.txt' && path === 'secret.txt'),
          ),
      )
      .map((path) => `changed ${path}`),
  ];
}

function all(line: ShellLine): readonly ShellLine[] {
  return [line, ...line.commands.flatMap(({ script }) => (script ? all(script) : []))];
}

/** Compares names. The shell expands the home folder and escapes characters beyond ASCII in messages. */
function isNamed(word: string, name: string): boolean {
  const plain = (text: string): string => text.replaceAll(/^\$'|'$|\\\d{3}|[^ -~]/g, '');
  return plain(word) === plain(name) || (word.startsWith('~/') && name.endsWith(word.slice(1)));
}

/** Compares words exactly. Only a computed word or a pattern may stand for any number of words. */
function isCall({ words: [name, ...rest] }: ShellCommand, file: string, args: readonly string[]): boolean {
  const isProgram =
    name !== undefined && (name.value.includes('/') ? basename(name.value) : name.value) === basename(file);
  return isProgram && fits(rest, args);
}

function fits(words: readonly ShellWord[], args: readonly string[]): boolean {
  const [word, ...more] = words;
  if (word === undefined) return args.length === 0;
  if (word.kind === 'literal' && !/^(?:\w+=(?:.*:)?)?~/.test(word.value))
    return args[0] === word.value && fits(more, args.slice(1));
  return Array.from({ length: args.length + 1 }, (_, at) => at).some((at) => fits(more, args.slice(at)));
}
