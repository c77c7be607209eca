import type { PermissionDecision, PermissionPolicy } from '@agentwire/client';

/** Counts what is decided. */
export class PermissionCount {
  #requested = 0;
  #approved = 0;

  /** True if the agent asked and was granted nothing. */
  get isDenied(): boolean {
    return this.#requested > 0 && this.#approved === 0;
  }

  counted(policy: PermissionPolicy): PermissionPolicy {
    return (request, context) => this.note(policy(request, context));
  }

  async note(deciding: PermissionDecision | Promise<PermissionDecision>): Promise<PermissionDecision> {
    this.#requested++;
    const decision = await deciding;
    if (decision?.kind.startsWith('allow')) this.#approved++;
    return decision;
  }
}
