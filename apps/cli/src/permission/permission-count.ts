import type { DecisionRecord } from '@turnwire/permissions';

/** Counts what is decided about a turn. Reading through us does not count: no agent that reads by itself would have asked. */
export class PermissionCount {
  #requested = 0;
  #approved = 0;

  /** True if the agent asked and was granted nothing. */
  get isDenied(): boolean {
    return this.#requested > 0 && this.#approved === 0;
  }

  readonly hear = ({ action, allowed }: DecisionRecord): void => {
    if (action.source === 'host' && action.kind === 'read') return;
    this.#requested++;
    if (allowed) this.#approved++;
  };
}
