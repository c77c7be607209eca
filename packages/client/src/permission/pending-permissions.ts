import type { RequestPermissionRequest, RequestPermissionResponse } from '@turnwire/protocol';
import type { PermissionDecision, PermissionPolicy } from './permission-policy.ts';

/** The permission requests of one session that wait for an answer. Each is answered exactly once. */
export class PendingPermissions {
  readonly #policy: PermissionPolicy;
  readonly #roots: readonly string[] | undefined;
  readonly #waiting = new Set<AbortController>();

  /** `roots`: the folders of the session, its working directory first. */
  constructor(policy: PermissionPolicy, roots?: readonly string[]) {
    this.#policy = policy;
    this.#roots = roots;
  }

  /** Asks the policy, until it answers or the question is moot. */
  async answer(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const moot = new AbortController();
    const abort = (): void => moot.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(moot);
    try {
      return outcome(request, await Promise.race([this.#decide(request, moot.signal), undefinedOnAbort(moot.signal)]));
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(moot);
    }
  }

  /** Answers everything that waits with `cancelled`. */
  cancelAll(): void {
    for (const moot of this.#waiting) moot.abort();
  }

  async #decide(request: RequestPermissionRequest, signal: AbortSignal): Promise<PermissionDecision> {
    try {
      return await this.#policy(request, { signal, roots: this.#roots });
    } catch {
      return undefined;
    }
  }
}

function undefinedOnAbort(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Only an option that was offered is an answer: the very object, since all that counts of it, its kind included, is the agent's. */
function outcome({ options }: RequestPermissionRequest, decision: PermissionDecision): RequestPermissionResponse {
  const isOffered = decision !== undefined && options.includes(decision);
  return { outcome: isOffered ? { outcome: 'selected', optionId: decision.optionId } : { outcome: 'cancelled' } };
}
