import type { DecisionRecord } from '@turnwire/permissions';

/** Counts the decisions of a turn. Reads through us do not count: an agent that reads by itself would not have asked. */
export class PermissionCount {
  #requested = 0;
  #approved = 0;

  /** True if the agent asked and everything was refused. */
  get isDenied(): boolean {
    return this.#requested > 0 && this.#approved === 0;
  }

  readonly record = ({ action, allowed }: DecisionRecord): void => {
    if (action.source === 'host' && action.kind === 'read') return;
    this.#requested++;
    if (allowed) this.#approved++;
  };
}
