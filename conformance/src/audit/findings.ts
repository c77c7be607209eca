import type { RequirementId } from '../requirements/requirement.ts';
import type { Observation } from '../verdict/observation.ts';
import { Observer, type Shown } from '../verdict/observer.ts';

/** How often a violation of one requirement is reported per connection. */
const atMost = 3;

/** Takes down what rules say: of each requirement that it held, once, or how it was broken, a few times. */
export class Findings extends Observer {
  readonly #held = new Set<RequirementId>();
  readonly #broken = new Map<RequirementId, Set<string>>();

  override held(requirement: RequirementId): void {
    if (!this.#held.has(requirement)) super.held(requirement);
    this.#held.add(requirement);
  }

  override broken(requirement: RequirementId, message: string, ...shown: readonly Shown[]): void {
    const known = this.#broken.get(requirement) ?? new Set();
    this.#broken.set(requirement, known);
    if (known.has(message) || known.size === atMost) return;
    known.add(message);
    super.broken(requirement, message, ...shown);
  }

  /** By requirement; of one that was broken it is not said that it held. */
  get all(): readonly Observation[] {
    return this.observations
      .filter(({ outcome, requirement }) => outcome === 'broken' || !this.#broken.has(requirement))
      .toSorted((one, other) => one.requirement.localeCompare(other.requirement));
  }
}
