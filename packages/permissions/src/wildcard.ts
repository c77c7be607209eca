import { literalRun, wildRuns } from '@turnwire/machine';

/** Compiles a text in which `*` stands for any run of characters, including none. Matching any text takes linear time. */
export function wildcard(pattern: string): (text: string) => boolean {
  return wildRuns(pattern.split('*').map(literalRun));
}

/** Longer texts match every pattern, to be safe. */
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
    // The prefixes of the pattern that the text so far could match.
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

/** Adds the positions after stars, each of which may match nothing. */
function closure(pattern: string, reached: boolean[]): boolean[] {
  for (const [at, character] of pattern.split('').entries())
    if (character === '*' && reached[at]) reached[at + 1] = true;
  return reached;
}
