import type { z } from 'zod';

/** The path of a part of a setting: names, and numbers in lists. Empty: the whole setting. */
type Path = readonly PropertyKey[];

/** An invalid part of a setting, and why. */
export interface WrongPart {
  readonly path: Path;
  readonly message: string;
}

/** The invalid parts that a check found. */
export function wrongParts(issues: readonly z.core.$ZodIssue[]): readonly WrongPart[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: 'there is no such setting' }))
      : [{ path: issue.path, message: issue.message }],
  );
}

/** A setting without its invalid parts: a wrong limit does not affect the others. Undefined if nothing is left. */
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

/** A provider with a wrong address must not be used at its default address: requests meant for another server would go there. */
function standIn(key: string): '' | undefined {
  return key === 'baseUrl' ? '' : undefined;
}
