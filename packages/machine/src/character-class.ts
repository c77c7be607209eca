/** A character class such as `[!a-z]` in a pattern. */
export interface CharacterClass {
  readonly test: (character: string) => boolean;
  /** Index of its closing bracket. */
  readonly end: number;
}

type Test = CharacterClass['test'];

/**
 * Parses the class that starts at a bracket, as shells do: `!` or `^` first negates it, `]` first is literal, a backslash escapes the next character.
 * Undefined if it is not closed: then the bracket is literal. Bash differs for a range that ends in a named class (`[ab-[:digit:]]`): if a member
 * before it matches, the class ends one bracket later. Bash also knows collating symbols and equivalence classes (`[[.a.]]`, `[[=a=]]`), whose
 * characters are plain members here.
 */
export function characterClass(pattern: readonly string[], start: number): CharacterClass | undefined {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const tests: Test[] = [];
  let at = first;
  while (at === first || pattern[at] !== ']') {
    const named = pattern[at] === '[' && pattern[at + 1] === ':' ? namedClass(pattern, at) : undefined;
    const found = named ?? range(pattern, at);
    if (found === undefined) return undefined;
    tests.push(found.test);
    at = found.end + 1;
  }
  return { test: (character) => tests.some((test) => test(character)) !== isNegated, end: at };
}

/** `a`, `\]` or `a-z`. Undefined at the end of the pattern. */
function range(pattern: readonly string[], start: number): CharacterClass | undefined {
  const from = member(pattern, start);
  if (from === undefined) return undefined;
  const isRange = pattern[from.end + 1] === '-' && pattern[from.end + 2] !== ']';
  const to = isRange ? member(pattern, from.end + 2) : from;
  if (to === undefined) return undefined;
  const [low, high] = [codeOf(from.character), codeOf(to.character)];
  return { test: (character) => codeOf(character) >= low && codeOf(character) <= high, end: to.end };
}

function member(
  pattern: readonly string[],
  at: number,
): { readonly character: string; readonly end: number } | undefined {
  const end = pattern[at] === '\\' ? at + 1 : at;
  const character = pattern[end];
  return character === undefined ? undefined : { character, end };
}

/** `[:alpha:]`, if the name is known. */
function namedClass(pattern: readonly string[], start: number): CharacterClass | undefined {
  const end = pattern.indexOf(']', start);
  const name = /^\[:([a-z]+):\]$/.exec(pattern.slice(start, end + 1).join(''))?.[1] ?? '';
  const expression = Object.hasOwn(named, name) ? named[name] : undefined;
  return expression && { test: (character) => expression.test(character), end };
}

const named: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{L}\p{Nd}]/u,
  alpha: /\p{L}/u,
  ascii: /[\0-\x7f]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /\d/,
  graph: /[^\s\p{C}]/u,
  lower: /\p{Ll}/u,
  print: /[^\p{Cc}]/u,
  punct: /[\p{P}\p{S}]/u,
  space: /\s/,
  upper: /\p{Lu}/u,
  word: /[\p{L}\p{Nd}_]/u,
  xdigit: /[\da-f]/i,
};

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
