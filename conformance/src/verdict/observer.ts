import type { CheckedVersion, RequirementId } from '../requirements/requirement.ts';
import { requirementIn } from '../requirements/requirements.ts';
import type { JournalEntry } from '../wire/messages.ts';
import type { Observation } from './observation.ts';

/** Evidence of a fault: frames, objects with a frame such as a reply, and lists of both. */
export type Evidence = JournalEntry | { readonly entry: JournalEntry } | readonly Evidence[] | undefined;

/** The fault, as a sentence without a full stop; `false` and undefined mean that there is none. */
export type Fault = string | false | undefined;

export class Observer {
  readonly observations: Observation[] = [];
  readonly #version: CheckedVersion;

  /** @param version the version of the protocol; observations get the names that requirements have in it */
  constructor(version: CheckedVersion = 1) {
    this.#version = version;
  }

  held(requirement: RequirementId, message = ''): void {
    this.#record({ requirement, outcome: 'held', message, evidence: [] });
  }

  broken(requirement: RequirementId, message: string, ...shown: readonly Evidence[]): void {
    this.#record({ requirement, outcome: 'broken', message, evidence: framesIn(shown) });
  }

  unseen(requirement: RequirementId, reason: string): void {
    this.#record({ requirement, outcome: 'unseen', message: reason, evidence: [] });
  }

  /** Records `held` without a fault, else `broken` with the evidence, for each requirement. Returns whether there was no fault. */
  check(judged: RequirementId | readonly RequirementId[], fault: Fault, ...shown: readonly Evidence[]): boolean {
    const isKept = fault === undefined || fault === false;
    for (const requirement of typeof judged === 'string' ? [judged] : judged)
      if (isKept) this.held(requirement);
      else this.broken(requirement, fault, shown);
    return isKept;
  }

  knows(requirement: RequirementId): boolean {
    const name = requirementIn(this.#version, requirement);
    return this.observations.some((observation) => observation.requirement === name);
  }

  #record(observation: Observation): void {
    const requirement = requirementIn(this.#version, observation.requirement);
    this.observations.push({ ...observation, requirement });
  }
}

function framesIn(shown: readonly Evidence[]): readonly JournalEntry[] {
  return shown.flatMap((each): readonly JournalEntry[] => {
    if (each === undefined) return [];
    if ('entry' in each) return [each.entry];
    return 'from' in each ? [each] : framesIn(each);
  });
}
