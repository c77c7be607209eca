import type { CheckedVersion, ExtraProfile, Requirement, RequirementId, Subject } from './requirement.ts';
import { requirementIn, requirements } from './requirements.ts';

/** Which requirements are judged in addition to the official text. */
export interface Profiled {
  /** Requirements of proposals and dialects are judged only if their profile is listed here. Default: none. */
  readonly profiles?: readonly ExtraProfile[] | undefined;
  /** The version of the protocol in which the subject is judged. Default 1. */
  readonly version?: CheckedVersion | undefined;
}

/** The kind of subject, and which requirements apply. */
export interface Judged extends Profiled {
  readonly kind: Subject;
  /** Whether it is reached over a network: requirements of remote transports then apply. Default false. */
  readonly isRemote?: boolean | undefined;
}

/** The requirements that apply, in the order of the sections. */
export function judgedRequirements({
  kind,
  isRemote = false,
  profiles = [],
  version = 1,
}: Judged): readonly Requirement[] {
  const chosen = new Set<string>([...(version === 2 ? ['v2'] : ['v1', ...profiles]), ...(isRemote ? ['remote'] : [])]);
  return requirements.filter(({ binds, profile }) => (binds === kind || binds === 'both') && chosen.has(profile));
}

/** Whether a scenario covers a requirement that applies. */
export function coversAny({ covers }: { readonly covers: readonly RequirementId[] }, judged: Judged): boolean {
  const ids = new Set(judgedRequirements(judged).map(({ id }) => id));
  return covers.some((id) => ids.has(requirementIn(judged.version ?? 1, id)));
}
