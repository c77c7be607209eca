/**
 * A schema as flat facts, so that two schemas can be compared line by line:
 * `NewSessionRequest.cwd` → `required string`, `StopReason=refusal` → `known`, `ContentBlock=*` → `anything`.
 */
export type Outline = ReadonlyMap<string, string>;

/** What is said of a field besides its type. */
export interface FieldFacts {
  readonly required: boolean;
  /** `E`, `S`, `N`, as the official annotations. */
  readonly rules: string;
  readonly absentMeans?: unknown;
}

export function fieldFact(type: string, { required, rules, absentMeans }: FieldFacts): string {
  const words = [required ? 'required' : 'optional', type, rules && `[${rules}]`];
  return [...words, absentMeans !== undefined && `= ${JSON.stringify(absentMeans)}`].filter(Boolean).join(' ');
}

export interface Difference {
  readonly at: string;
  readonly official: string;
  readonly ours: string;
}

/** Every fact only one side states or both state differently. */
export function differencesBetween(official: Outline, ours: Outline): readonly Difference[] {
  const places = [...new Set([...official.keys(), ...ours.keys()])].toSorted();
  return places
    .map((at) => ({ at, official: official.get(at) ?? '', ours: ours.get(at) ?? '' }))
    .filter((place) => place.official !== place.ours);
}
