import { literalRun, wildRuns } from '@turnwire/machine';

/** Compiles a text in which `*` stands for any run of characters, including none. Matching takes linear time, whatever the text. */
export function wildcard(pattern: string): (text: string) => boolean {
  return wildRuns(pattern.split('*').map(literalRun));
}

/** Longer texts are assumed to match any pattern. */
const longest = 4_096;

/**
 * Compiles a pattern like {@link wildcard}'s, to be compared with a partly unknown text.
 * @param hole stands in the text for any run of characters
 * @returns whether the text could become one the pattern matches. Takes time proportional to the product of both lengths
 */
export function possibleWildcard(pattern: string, hole: string): (text: string) => boolean {
  const wanted = pattern.replaceAll(/\*+/g, '*');
  return (text) => {
    if (text.length > longest) return true;
    // Which prefixes of the pattern the text so far could have become.
    let reached = closure(wanted, [true, ...Array.from({ length: wanted.length }, () => false)]);
    for (const character of text) {
      if (character === hole) reached = reached.map((_, at) => reached.slice(0, at + 1).includes(true));
      else
        reached = closure(
          wanted,
          reached.map((isReached, at) =>
            at > 0 && wanted[at - 1] !== '*'
              ? reached[at - 1] === true && wanted[at - 1] === character
              : isReached && wanted[at - 1] === '*',
          ),
        );
      if (!reached.includes(true)) return false;
    }
    return reached.at(-1) === true;
  };
}

/** A star may stand for nothing. */
function closure(pattern: string, reached: boolean[]): boolean[] {
  for (const [at, character] of pattern.split('').entries())
    if (character === '*' && reached[at]) reached[at + 1] = true;
  return reached;
}
