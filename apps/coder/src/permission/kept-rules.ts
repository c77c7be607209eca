import type { GivenRule } from '@turnwire/permissions';

/** A change of the rules of a session, as it is stored with it. */
interface KeptRuleChange extends GivenRule {
  readonly type: 'permission-rule';
  readonly change: 'added' | 'removed';
}

/** The entry to store when a rule of the session is added or removed. */
export function keptRuleChange(change: KeptRuleChange['change'], { effect, text }: GivenRule): KeptRuleChange {
  return { type: 'permission-rule', change, effect, text };
}

/** The rules of a session after all its changes. Other entries are ignored. */
export function keptRules(kept: readonly unknown[]): readonly GivenRule[] {
  const rules = new Map<string, GivenRule>();
  for (const { change, effect, text } of kept.filter(isRuleChange)) {
    const key = `${effect} ${text}`;
    if (change === 'added') rules.set(key, { effect, text });
    else rules.delete(key);
  }
  return [...rules.values()];
}

function isRuleChange(value: unknown): value is KeptRuleChange {
  const { type, change, effect, text } = (value ?? {}) as Partial<Record<keyof KeptRuleChange, unknown>>;
  const isChange = type === 'permission-rule' && (change === 'added' || change === 'removed');
  return isChange && /^(?:allow|ask|deny)$/.test(String(effect)) && typeof text === 'string';
}
