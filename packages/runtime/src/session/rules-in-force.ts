import type { DecisionRecord, GivenRule, PermissionRule, Permissions } from '@turnwire/permissions';
import type { SessionRecord } from '../store/session-store.ts';
import type { SessionRules, SessionRulesParts } from './session-rules.ts';

/** What the rules of a session need at any time. */
export interface RulesInForceParts extends Pick<SessionRulesParts, 'ask' | 'onWarning'> {
  readonly rules: SessionRules;
  readonly record: SessionRecord;
}

/** What a turn brings to the rules. */
export interface RuledTurn extends Pick<SessionRulesParts, 'given' | 'stop'> {
  readonly decisions: DecisionCount;
}

/** How often an agent asked in a turn, and how often it was allowed. Reading files of the host does not count: most agents read by themselves. */
export class DecisionCount {
  asked = 0;
  allowed = 0;

  readonly record = ({ action, allowed }: DecisionRecord): void => {
    if (action.source === 'host' && action.kind === 'read') return;
    this.asked++;
    if (allowed) this.allowed++;
  };
}

/** The rules of a session: each turn may bring its own, and they stay until the next one begins. What users had remembered for the session stays. */
export class RulesInForce {
  readonly #parts: RulesInForceParts;
  #made: readonly GivenRule[] = [];
  #current: Permissions;
  #turn: RuledTurn | undefined;

  constructor(parts: RulesInForceParts) {
    this.#parts = parts;
    this.#current = this.#make();
  }

  get current(): Permissions {
    return this.#current;
  }

  /** Throws if the rules that a client gave cannot be used. */
  begin(turn: RuledTurn): void {
    const areSame = turn.given === undefined && this.#turn?.given === undefined;
    this.#turn = turn;
    if (areSame) return;
    const before = this.#current.rules;
    this.#made = before.filter(({ source }) => source === 'session');
    this.#current = this.#make();
    this.#holdProhibitions(before);
  }

  /** Keeps in force what a file forbade when an earlier turn began: the agent may have changed the file. */
  #holdProhibitions(before: readonly PermissionRule[]): void {
    const now = this.#current.rules;
    for (const { effect, text, file } of before) {
      const isLost =
        file !== undefined && effect !== 'allow' && !now.some((each) => each.effect === effect && each.text === text);
      if (isLost) void this.#current.addRule(effect, text, 'session');
    }
  }

  #make(): Permissions {
    const { rules, record, ask, onWarning } = this.#parts;
    const given = this.#turn?.given;
    const stop = (message: string): void => this.#turn?.stop(message);
    const permissions = rules(record, { ask, onWarning, given, made: this.#made, stop });
    permissions.onDecision((decision) => this.#turn?.decisions.record(decision));
    return permissions;
  }
}
