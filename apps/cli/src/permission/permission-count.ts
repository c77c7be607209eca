import type { PermissionPolicy } from '@agentwire/client';

/** Counts what a policy decides. */
export class PermissionCount {
  #requested = 0;
  #approved = 0;

  /** True if the agent asked and was granted nothing. */
  get isDenied(): boolean {
    return this.#requested > 0 && this.#approved === 0;
  }

  counted(policy: PermissionPolicy): PermissionPolicy {
    return async (request, context) => {
      this.#requested++;
      const decision = await policy(request, context);
      if (decision?.kind.startsWith('allow')) this.#approved++;
      return decision;
    };
  }
}
