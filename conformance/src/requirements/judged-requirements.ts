import type { ExtraProfile, Requirement, RequirementId, Subject } from './requirement.ts';
import { requirements } from './requirements.ts';

/** What is judged besides the official text. */
export interface Profiled {
  /** Requirements of proposals and of the documents of dialects are judged only if their profile is here. Default: none. */
  readonly profiles?: readonly ExtraProfile[] | undefined;
}

/** Who is judged, and by what. */
export interface Judged extends Profiled {
  readonly kind: Subject;
  /** Whether it is reached over a network: what is asked of that applies to it. Default: it is not. */
  readonly isRemote?: boolean | undefined;
}

/** The requirements that apply, in the order of the sections. */
export function judgedRequirements({ kind, isRemote = false, profiles = [] }: Judged): readonly Requirement[] {
  const chosen = new Set<string>(['v1', ...(isRemote ? ['remote'] : []), ...profiles]);
  return requirements.filter(({ binds, profile }) => (binds === kind || binds === 'both') && chosen.has(profile));
}

/** Whether a scenario looks at something that applies. */
export function looksAtAny({ covers }: { readonly covers: readonly RequirementId[] }, judged: Judged): boolean {
  const ids = new Set(judgedRequirements(judged).map(({ id }) => id));
  return covers.some((id) => ids.has(id));
}
