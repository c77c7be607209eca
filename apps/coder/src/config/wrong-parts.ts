import type { z } from 'zod';

/** Where in a setting something is: names, and numbers in lists. Empty: all of it. */
type Path = readonly PropertyKey[];

/** A part of a setting that cannot hold, and why. */
export interface WrongPart {
  readonly path: Path;
  readonly message: string;
}

/** What a check found wrong, part by part. */
export function wrongParts(issues: readonly z.core.$ZodIssue[]): readonly WrongPart[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'there is no such setting' }))
      : [{ path: issue.path, message: issue.message }],
  );
}

/** A setting without its wrong parts: a limit that is wrong does not take the others with it. Undefined if nothing of it holds. */
export function withoutParts(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  if (Array.isArray(value))
    return value
      .map((each: unknown, index) => withoutParts(each, pathsWithin(paths, index)))
      .filter((each) => each !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const left: unknown = withoutParts(each, pathsWithin(paths, key)) ?? standIn(key);
      return left === undefined ? [] : [[key, left]];
    }),
  );
}

function pathsWithin(paths: readonly Path[], step: PropertyKey): readonly Path[] {
  return paths.filter(([first]) => first === step).map(([, ...rest]) => rest);
}

/** A provider with a wrong address is nowhere: what was meant for another place must not go to the usual one. */
function standIn(key: string): '' | undefined {
  return key === 'baseUrl' ? '' : undefined;
}
