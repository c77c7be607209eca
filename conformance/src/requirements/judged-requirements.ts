import type { ExtraProfile, Requirement, RequirementId, Subject } from './requirement.ts';
import { requirements } from './requirements.ts';

/** Which requirements are judged in addition to the official text. */
export interface Profiled {
  /** Requirements of proposals and dialects are judged only if their profile is listed here. Default: none. */
  readonly profiles?: readonly ExtraProfile[] | undefined;
}

/** The kind of subject, and which requirements apply. */
export interface Judged extends Profiled {
  readonly kind: Subject;
  /** Whether it is reached over a network: requirements of remote transports then apply. Default false. */
  readonly isRemote?: boolean | undefined;
}

/** The requirements that apply, in the order of the sections. */
export function judgedRequirements({ kind, isRemote = false, profiles = [] }: Judged): readonly Requirement[] {
  const chosen = new Set<string>(['v1', ...(isRemote ? ['remote'] : []), ...profiles]);
  return requirements.filter(({ binds, profile }) => (binds === kind || binds === 'both') && chosen.has(profile));
}

/** Whether a scenario covers a requirement that applies. */
export function coversAny({ covers }: { readonly covers: readonly RequirementId[] }, judged: Judged): boolean {
  const ids = new Set(judgedRequirements(judged).map(({ id }) => id));
  return covers.some((id) => ids.has(id));
}
