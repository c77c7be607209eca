/** The part of a pattern between two stars: consecutive elements that must match. */
export interface Run<Text extends ArrayLike<unknown> = string> {
  readonly length: number;
  /** Whether it matches at a position in a text. */
  isAt(text: Text, at: number): boolean;
  /** The first match from `from` on; negative for none. */
  find(text: Text, from: number): number;
}

/**
 * Matches texts that consist of runs separated by any characters, or none. It always takes the first match of a run, so it never backtracks: the time
 * grows with the length of the text times that of the longest run, for any pattern.
 */
export function wildRuns<Text extends ArrayLike<unknown>>(runs: readonly Run<Text>[]): (text: Text) => boolean {
  const [first, ...rest] = runs;
  const last = rest.pop();
  if (!first) return (text) => text.length === 0;
  if (!last) return (text) => text.length === first.length && first.isAt(text, 0);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !first.isAt(text, 0) || !last.isAt(text, end)) return false;
    let from = first.length;
    for (const run of rest) {
      const at = run.find(text, from);
      if (at < 0 || at + run.length > end) return false;
      from = at + run.length;
    }
    return true;
  };
}

/** A run of certain characters. */
export function literalRun(literal: string): Run {
  return {
    length: literal.length,
    isAt: (text, at) => text.startsWith(literal, at),
    find: (text, from) => text.indexOf(literal, from),
  };
}

/** A run of elements that each must pass a test. */
export function testedRun<Element>(tests: readonly ((element: Element) => boolean)[]): Run<ArrayLike<Element>> {
  const isAt = (text: ArrayLike<Element>, at: number): boolean =>
    tests.every((test, offset) => test(text[at + offset] as Element));
  return {
    length: tests.length,
    isAt,
    find: (text, from) => {
      for (let at = from; at + tests.length <= text.length; at++) if (isAt(text, at)) return at;
      return -1;
    },
  };
}
