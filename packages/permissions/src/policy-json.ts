import { TurnwireError } from '@turnwire/protocol';
import type { GivenRule, PermissionMode, PermissionsOptions, RuleEffect } from './permissions.ts';
import { effectMeant, isForeign } from './unknown-key.ts';
import { ruleForm, writtenRule } from './written-rule.ts';

/** The meaning of a policy or a flag for {@link PermissionsOptions}. */
export interface PolicySettings extends Pick<PermissionsOptions, 'mode' | 'otherwise'> {
  readonly rules: readonly GivenRule[];
}

const effectOf: Readonly<Record<string, RuleEffect>> = { autoDeny: 'deny', autoApprove: 'allow', escalate: 'ask' };
const defaults: Readonly<Record<string, RuleEffect>> = { approve: 'allow', deny: 'deny', escalate: 'ask' };

/**
 * Parses a policy of a script: `{"autoApprove": ["read", "search"], "autoDeny": ["Bash(rm *)"], "escalate": [], "defaultAction": "deny"}`.
 * Entries are kinds, names of tools, or rules. They are never compared with titles, which the agent writes. Accepts JSON text or its value;
 * throws `invalid-input` with the reason.
 */
export function readPolicy(policy: unknown): PolicySettings {
  const found = typeof policy === 'string' ? parsed(policy) : policy;
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw wrong('it must be a JSON object');
  const { defaultAction, ...lists } = found as Record<string, unknown>;
  const rules = Object.entries(lists).flatMap(([key, list]) => rulesFrom(key, list));
  if (defaultAction === undefined) return { rules };
  const otherwise =
    typeof defaultAction === 'string' && Object.hasOwn(defaults, defaultAction) ? defaults[defaultAction] : undefined;
  if (otherwise === undefined) throw wrong('"defaultAction" must be "approve", "deny" or "escalate"');
  return { rules, otherwise };
}

function rulesFrom(key: string, list: unknown): readonly GivenRule[] {
  const effect = Object.hasOwn(effectOf, key) ? effectOf[key] : undefined;
  if (effect === undefined) throw wrong(`"${key}" is unknown; ${policyHint(key)}`);
  const rules = Array.isArray(list) ? list.map((each: unknown) => writtenRule(each)) : [undefined];
  if (rules.includes(undefined)) throw wrong(`"${key}" must be a list of ${ruleForm}`);
  return rules.flatMap((rule) => (rule ? [{ effect, ...rule }] : []));
}

function policyHint(key: string): string {
  const all = 'the keys are "autoApprove", "autoDeny", "escalate" and "defaultAction"';
  if (isForeign(key)) return `it is used in the settings of other programs. In a policy ${all}`;
  const meant = /default/i.test(key) ? 'defaultAction' : keyOf(effectMeant(key));
  return meant === undefined ? all : `did you mean "${meant}"? In a policy ${all}`;
}

function keyOf(effect: RuleEffect | undefined): string | undefined {
  return Object.keys(effectOf).find((key) => effectOf[key] === effect);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

function wrong(problem: string): TurnwireError {
  return new TurnwireError('invalid-input', `The permission policy cannot be used: ${problem}`);
}

const flags: Readonly<Record<'approve-all' | 'approve-reads' | 'deny-all', PolicySettings>> = {
  'approve-all': { mode: 'bypassPermissions' satisfies PermissionMode, rules: [] },
  'approve-reads': {
    rules: [
      { effect: 'allow', text: 'Read' },
      { effect: 'allow', text: 'Search' },
    ],
  },
  'deny-all': { rules: [], otherwise: 'deny' },
};

/** The meaning of `--approve-all`, `--approve-reads` and `--deny-all`. */
export function policyOfFlag(flag: 'approve-all' | 'approve-reads' | 'deny-all'): PolicySettings {
  return flags[flag];
}

/** A list like `Bash(git *),Read,Edit(src/**)` as rules that allow. Commas in brackets belong to the rule. */
export function allowedTools(list: string): readonly GivenRule[] {
  return list
    .split(/,(?![^()]*\))/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({ effect: 'allow', text }));
}
