import type { Turn } from '@turnwire/agent';
import { createPermissions, limitsOf } from '@turnwire/permissions';
import type { Action, Decision, PermissionLimits, Permissions } from '@turnwire/permissions';
import type { ToolEffect } from '../tools/tool.ts';

/** The parts needed to decide as the client does. */
type LimitParts = Pick<Parameters<typeof createPermissions>[0], 'project' | 'files'>;

/**
 * The client's limits for this agent in a turn, from its command line: for example, to refuse everything. For anything beyond them the
 * client is asked, even if a rule or the mode would allow it.
 */
export class TurnLimit {
  readonly #limits: PermissionLimits;
  readonly #permissions: Permissions;

  private constructor(limits: PermissionLimits, permissions: Permissions) {
    this.#limits = limits;
    this.#permissions = permissions;
  }

  /** Undefined: the client has set no limits. Invalid limits allow nothing. */
  static of({ meta }: Pick<Turn, 'meta'>, parts: LimitParts): TurnLimit | undefined {
    const limits = limitsOf(meta);
    if (!limits) return undefined;
    // In `plan` the client refuses everything; reading and talking need no permission here.
    const { mode, ...rest } = limits;
    const options = { ...parts, ...rest, ...(mode !== 'plan' && { mode }) };
    try {
      return new TurnLimit(limits, createPermissions(options));
    } catch {
      return new TurnLimit({ mode: 'plan', rules: [] }, createPermissions(parts));
    }
  }

  /** Whether the client refuses everything that its own rules do not allow. Then a prompt must not widen anything. */
  get isNarrow(): boolean {
    const { mode, otherwise, allowing = 'all' } = this.#limits;
    return mode === 'plan' || otherwise === 'deny' || allowing !== 'all';
  }

  /** Why a call needs a question; undefined if it needs none. */
  objection(action: Action, effect: ToolEffect): Decision | undefined {
    const { mode, allowing, otherwise = 'allow' } = this.#limits;
    const isTame = effect === 'talks' || (effect === 'looks' && allowing !== 'given');
    if (isTame) return this.objectionByRule(action);
    if (mode === 'plan' && effect !== 'looks') return { effect: 'ask', reason: 'asked: in the mode plan nothing runs' };
    return unlessAllowed(this.#permissions.judge(action, otherwise));
  }

  /** Why rules deny an action, or ask about it. */
  objectionByRule(action: Action): Decision | undefined {
    return unlessAllowed(this.#permissions.judge(action, 'allow'));
  }
}

function unlessAllowed(decision: Decision): Decision | undefined {
  return decision.effect === 'allow' ? undefined : decision;
}

/** Whether two prompts of a session give the agent the same rights. */
export function haveSameLimits(one: Pick<Turn, 'meta'>, other: Pick<Turn, 'meta'>): boolean {
  return JSON.stringify(limitsOf(one.meta)) === JSON.stringify(limitsOf(other.meta));
}
