import { createPermissions, type GivenRule, type PermissionRule } from '@turnwire/permissions';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { ruleText } from '../../permission/rule-text.ts';
import { report } from '../report.ts';
import { changedSource, type RuleScope, hasBrokenFile, permissionsOfFiles } from './rule-scope.ts';

/** The rule to add or remove. */
export interface RuleChange extends RuleScope, GivenRule {}

/** Adds a rule to a file, and succeeds even if the file contains it. Resolves with the exit code. */
export async function addPermission(change: RuleChange, options: GlobalOptions): Promise<number> {
  const { project: _, user: __, effect, ...written } = change;
  refuseUnreadable({ effect, ...written }, options.cwd);
  const rule = await permissionsOfFiles(options.cwd).addRule(effect, written, changedSource(change));
  reportChange('rule_added', rule, options);
  return exitCodes.ok;
}

/** Removes a rule from a file. Resolves with the exit code: 1 if the file does not contain it. */
export async function removePermission(change: RuleChange, options: GlobalOptions): Promise<number> {
  const permissions = permissionsOfFiles(options.cwd);
  const same = permissions.rules.filter(
    ({ effect, text, child }) => effect === change.effect && text === change.text.trim() && child === change.child,
  );
  const source = changedSource(change);
  const rule = same.find((each) => each.source === source);
  // A broken file may contain the rule in a part that cannot be read.
  if (!rule && hasBrokenFile(permissions))
    throw new CommandError('the rule was not removed: correct the file first', exitCodes.error);
  if (!rule) throw nothingToRemove(change, same[0]);
  await permissions.removeRule(rule);
  reportChange('rule_removed', rule, options);
  return exitCodes.ok;
}

function reportChange(action: 'rule_added' | 'rule_removed', rule: PermissionRule, options: GlobalOptions): void {
  const { isHeld: _, ...shown } = rule;
  const done = action === 'rule_added' ? 'is in' : 'is no longer in';
  report(options, { action, ...shown }, () =>
    options.format === 'quiet' ? undefined : `${ruleText(rule)} ${done} ${rule.file}`,
  );
}

function refuseUnreadable(rule: GivenRule, project: string): void {
  try {
    createPermissions({ project, rules: [rule] });
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}

function nothingToRemove(change: RuleChange, other: PermissionRule | undefined): CommandError {
  const { effect, text } = change;
  const among = changedSource(change) === 'user' ? 'among your own rules' : 'among the rules of this project';
  const hint = other ? `. It is in ${other.file}: add --${other.source}` : '. See turnwire permissions list';
  return new CommandError(`there is no ${effect} ${text} ${among}${hint}`, exitCodes.error);
}
