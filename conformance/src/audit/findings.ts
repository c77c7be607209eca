import type { RequirementId } from '../requirements/requirement.ts';
import type { Observation } from '../verdict/observation.ts';
import { Observer, type Evidence } from '../verdict/observer.ts';

/** Maximum number of reports per requirement and connection. */
const atMost = 3;

/** Collects the findings of rules: once per requirement that held, and a few times per requirement that was broken. */
export class Findings extends Observer {
  readonly #held = new Set<RequirementId>();
  readonly #broken = new Map<RequirementId, Set<string>>();

  override held(requirement: RequirementId): void {
    if (!this.#held.has(requirement)) super.held(requirement);
    this.#held.add(requirement);
  }

  override broken(requirement: RequirementId, message: string, ...shown: readonly Evidence[]): void {
    const known = this.#broken.get(requirement) ?? new Set();
    this.#broken.set(requirement, known);
    if (known.has(message) || known.size === atMost) return;
    known.add(message);
    super.broken(requirement, message, ...shown);
  }

  /** Sorted by requirement. A requirement that was broken has no `held` observations. */
  get all(): readonly Observation[] {
    const broken = new Set(
      this.observations.flatMap(({ outcome, requirement }) => (outcome === 'broken' ? [requirement] : [])),
    );
    return this.observations
      .filter(({ outcome, requirement }) => outcome === 'broken' || !broken.has(requirement))
      .toSorted((one, other) => one.requirement.localeCompare(other.requirement));
  }
}
