import { createPermissions, type PermissionRule, rulesFiles } from '@turnwire/permissions';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { report } from '../report.ts';
import { hasBrokenFile } from './rule-scope.ts';

/**
 * Accepts the named allow rules of the project, or all of them, and prints them. Resolves with the exit code: 1 if a rule does not exist or
 * a file cannot be read; then nothing is accepted.
 */
export async function acceptPermissions(texts: readonly string[], options: GlobalOptions): Promise<number> {
  const files = rulesFiles(options.cwd);
  const permissions = createPermissions({ project: options.cwd, files });
  if (hasBrokenFile(permissions)) {
    for (const warning of permissions.warnings) warn(warning);
    throw new CommandError('nothing was accepted: correct the file first', exitCodes.error);
  }
  const allowing = permissions.rules.filter(({ source, effect }) => source === 'project' && effect === 'allow');
  const chosen = texts.length === 0 ? allowing : named(texts, allowing);
  const waiting = chosen.filter(({ isAccepted }) => isAccepted === false);
  for (const rule of waiting) {
    await permissions.acceptRule(rule);
    reportChange(rule, options);
  }
  if (waiting.length === 0 && options.format === 'text') warn(`no rule in ${files.project} is waiting for acceptance`);
  return exitCodes.ok;
}

function named(texts: readonly string[], rules: readonly PermissionRule[]): readonly PermissionRule[] {
  return texts.flatMap((text) => {
    const found = rules.filter((rule) => rule.text.trim() === text.trim());
    if (found.length > 0) return found;
    throw new CommandError(
      `there is no allow ${text} among the rules of this project; nothing was accepted. See turnwire permissions list --project`,
      exitCodes.error,
    );
  });
}

function reportChange({ effect, text, source, file }: PermissionRule, options: GlobalOptions): void {
  report(options, { action: 'rule_accepted', effect, text, source, file }, () =>
    options.format === 'quiet' ? undefined : `${effect} ${cleanLine(text)} is accepted in ${file}`,
  );
}
