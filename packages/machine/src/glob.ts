import { characterClass } from './character-class.ts';
import { literalRun, testedRun, wildRuns } from './wild-runs.ts';

/** Which syntax a pattern has besides `*`, `**` and `?`. */
export interface GlobOptions {
  /**
   * `[a-z]`, `[!a-z]`, `[^a-z]` and `[[:alpha:]]` stand for one character, and a backslash escapes the next character. Default: they are
   * literal.
   */
  readonly classes?: boolean | undefined;
  /** `**` at the end matches the contents of a folder, and not the folder itself. Default: both, so that `a/**` matches `a`. */
  readonly isContents?: boolean | undefined;
}

type Match = (text: string) => boolean;
type Test = (character: string) => boolean;

const star = Symbol('any characters');

/** One character of a pattern: a literal, or a test. */
type Token = typeof star | Test | string;

/**
 * Compiles a pattern for paths with slashes: `*` is any characters of a name, `?` is one, and a name of `**` any number of folders,
 * including none. A leading dot is not special. Matching takes at most the length of the pattern times that of the path, for any input.
 */
export function globMatcher(pattern: string, options: GlobOptions = {}): Match {
  const parts = pattern.split('/').filter((part, at) => part !== '' || at === 0);
  const runs: Match[][] = [[]];
  for (const part of parts) {
    if (/^\*{2,}$/.test(part)) runs.push([]);
    else runs.at(-1)?.push(nameMatcher(part, options));
  }
  if (options.isContents && runs.length > 1 && runs.at(-1)?.length === 0) runs.at(-1)?.push(anyName);
  const matches = wildRuns<ArrayLike<string>>(runs.map(testedRun));
  // Most paths differ in their last name, so it is tested first.
  const last = runs.at(-1)?.at(-1) ?? anyName;
  return (path) => last(path.slice(path.lastIndexOf('/') + 1)) && matches(path.split('/'));
}

function anyName(): boolean {
  return true;
}

/** Compiles a pattern for one name, without slashes: `**` is `*` there. */
export function nameMatcher(pattern: string, { classes = false }: GlobOptions = {}): Match {
  const runs: (Test | string)[][] = [[]];
  for (const token of tokensOf(pattern, classes)) {
    if (token === star) runs.push([]);
    else runs.at(-1)?.push(token);
  }
  if (runs.every((run) => run.every((token) => typeof token === 'string')))
    return wildRuns(runs.map((run) => literalRun(run.join(''))));
  const matches = wildRuns<ArrayLike<string>>(runs.map((run) => testedRun(run.map(testOf))));
  // A character beyond the first 65,536 takes two UTF-16 units, but counts as one.
  return (name) => matches(/[\ud800-\udfff]/.test(name) ? Array.from(name) : name);
}

function* tokensOf(pattern: string, classes: boolean): Generator<Token> {
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    const found = classes && character === '[' ? characterClass(characters, at) : undefined;
    if (found) {
      yield found.test;
      at = found.end;
    } else if (character === '*') yield star;
    else if (character === '?') yield anyName;
    else yield classes && character === '\\' ? (characters[++at] ?? '\\') : character;
  }
}

function testOf(token: Test | string): Test {
  return typeof token === 'string' ? (character) => character === token : token;
}
