import {
  allowedTools,
  type GivenRule,
  type PermissionsOptions,
  policyOfFlag,
  type PolicySettings,
  readPolicy,
} from '@turnwire/permissions';
import type { PermissionSettings } from './permission-settings.ts';

/** The options of `createPermissions` that follow from the settings. */
export type Judgement = Pick<PermissionsOptions, 'mode' | 'rules' | 'otherwise' | 'allowing'>;

/**
 * Combines the rules and the mode of the command line with the rules made earlier in the session. Nothing overrides a prohibition of the command
 * line: with a list of tools only that list allows, and with `deny-all` neither files nor earlier rules allow anything.
 */
export function judgement(settings: PermissionSettings, made: readonly GivenRule[]): Judgement {
  const { base } = settings;
  const policy = settings.policy ? readPolicy(settings.policy) : { rules: [] };
  if (base === 'deny-all' || settings.allowedTools !== undefined) return restricted(settings, policy.rules, made);
  const flags: PolicySettings = base === 'ask' ? { rules: [] } : policyOfFlag(base);
  const mode = settings.mode ?? flags.mode;
  // A policy's general rule comes before a mode that allows everything.
  const isOverruled = mode === 'bypassPermissions' && (policy.otherwise === 'deny' || policy.otherwise === 'ask');
  const rules = [...policy.rules, ...flags.rules, ...made];
  return { ...(!isOverruled && { mode }), rules, otherwise: policy.otherwise };
}

function restricted(
  { base, mode, allowedTools: list }: PermissionSettings,
  policy: readonly GivenRule[],
  made: readonly GivenRule[],
): Judgement {
  const forbidding = (rules: readonly GivenRule[]): readonly GivenRule[] =>
    rules.filter(({ effect }) => effect !== 'allow');
  const listed = list === undefined || base === 'deny-all' ? [] : allowedTools(list);
  return {
    ...(mode === 'plan' && { mode }),
    rules: [...(list === undefined ? policy : forbidding(policy)), ...listed, ...forbidding(made)],
    otherwise: 'deny',
    allowing: list === undefined ? 'given-and-mode' : 'given',
  };
}
