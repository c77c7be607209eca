import type { RequirementId } from '../requirements/requirement.ts';
import type { Observation } from '../verdict/observation.ts';
import type { Fault } from '../verdict/observer.ts';
import type { Frame } from './frame.ts';

/** How often a violation of one requirement is reported per connection. */
const atMost = 3;

/** Takes down what rules say: of each requirement that it held, once, or how it was broken, a few times. */
export class Findings {
  readonly #held = new Set<RequirementId>();
  readonly #broken = new Map<RequirementId, Map<string, Observation>>();

  held(requirement: RequirementId): void {
    this.#held.add(requirement);
  }

  broken(requirement: RequirementId, message: string, evidence: readonly (Frame | undefined)[]): void {
    const known = this.#broken.get(requirement) ?? new Map<string, Observation>();
    this.#broken.set(requirement, known);
    if (known.has(message) || known.size === atMost) return;
    const entries = evidence.flatMap((frame) => frame?.entry ?? []);
    known.set(message, { requirement, outcome: 'broken', message, evidence: entries });
  }

  /** `held` without a fault, else `broken`: each of some requirements. */
  check(
    judged: RequirementId | readonly RequirementId[],
    fault: Fault,
    evidence: readonly (Frame | undefined)[],
  ): void {
    for (const requirement of typeof judged === 'string' ? [judged] : judged)
      if (fault === undefined || fault === false) this.held(requirement);
      else this.broken(requirement, fault, evidence);
  }

  get observations(): readonly Observation[] {
    const broken = [...this.#broken.values()].flatMap((each) => [...each.values()]);
    const held = [...this.#held]
      .filter((requirement) => !this.#broken.has(requirement))
      .map((requirement): Observation => ({ requirement, outcome: 'held', message: '', evidence: [] }));
    return [...broken, ...held].toSorted((one, other) => one.requirement.localeCompare(other.requirement));
  }
}
