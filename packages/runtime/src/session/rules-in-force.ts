import type { DecisionRecord, GivenRule, PermissionRule, Permissions } from '@turnwire/permissions';
import type { SessionRecord } from '../store/session-store.ts';
import type { SessionRules, SessionRulesParts } from './session-rules.ts';

/** The inputs of the rules of a session. */
export interface RulesInForceParts extends Pick<SessionRulesParts, 'ask' | 'onWarning'> {
  readonly rules: SessionRules;
  readonly record: SessionRecord;
}

/** The inputs of one turn. */
export interface RuledTurn extends Pick<SessionRulesParts, 'given' | 'stop'> {
  readonly decisions: DecisionCount;
}

/** How often an agent asked in a turn, and how often it got permission. Reads of host files do not count: most agents read files themselves. */
export class DecisionCount {
  asked = 0;
  allowed = 0;

  readonly record = ({ action, allowed }: DecisionRecord): void => {
    if (action.source === 'host' && action.kind === 'read') return;
    this.asked++;
    if (allowed) this.allowed++;
  };
}

/** The rules of a session. A turn may bring its own rules, which apply until the next turn begins. Rules that users made for the session stay. */
export class RulesInForce {
  readonly #parts: RulesInForceParts;
  #made: readonly GivenRule[] = [];
  /** The permissions of the running turn, or of the last one. */
  current: Permissions;
  #turn: RuledTurn | undefined;

  constructor(parts: RulesInForceParts) {
    this.#parts = parts;
    this.current = this.#make();
  }

  /** Makes the rules of a turn. Throws if the rules of the client cannot be used. */
  begin(turn: RuledTurn): void {
    const areSame = turn.given === undefined && this.#turn?.given === undefined;
    this.#turn = turn;
    if (areSame) return;
    const before = this.current.rules;
    this.#made = before.filter(({ source }) => source === 'session');
    this.current = this.#make();
    this.#holdProhibitions(before);
  }

  /** Keeps prohibitions that a file contained when an earlier turn began: the agent may have changed the file. */
  #holdProhibitions(before: readonly PermissionRule[]): void {
    const now = this.current.rules;
    for (const { effect, text, message, child, file } of before) {
      const isSame = (each: PermissionRule): boolean =>
        each.effect === effect && each.text === text && each.child === child;
      const isLost = file !== undefined && effect !== 'allow' && !now.some(isSame);
      const written = { text, ...(message !== undefined && { message }), ...(child !== undefined && { child }) };
      if (isLost) void this.current.addRule(effect, written, 'session');
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
