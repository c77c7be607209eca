import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { ruleOrigin } from '../../permission/rule-origin.ts';
import { ruleDetail, ruleText } from '../../permission/rule-text.ts';
import { printRows } from '../../output/print-rows.ts';
import { type RuleScope, hasBrokenFile, permissionsInForce } from './rule-scope.ts';
import { stdout } from '../../terminal/output.ts';

/** Prints the approval mode and the rules in force in this folder, with their sources. Resolves with the exit code: 1 if a file cannot be read. */
export async function listPermissions(scope: RuleScope, options: GlobalOptions): Promise<number> {
  const permissions = permissionsInForce(options);
  const { mode, rules } = permissions;
  const chosen = rules.filter(({ source }) => isChosen(scope, source));
  if (options.format === 'json') stdout.printJson(JSON.stringify({ mode, rules: chosen }));
  else if (options.format === 'quiet') for (const rule of chosen) stdout.printLine(ruleText(rule));
  else {
    stdout.printLine(`approval: ${mode}`);
    if (chosen.length > 0) printRows({ rows: chosen.map((rule) => [rule.effect, ruleDetail(rule), ruleOrigin(rule)]) });
  }
  return hasBrokenFile(permissions) ? exitCodes.error : exitCodes.ok;
}

function isChosen({ project, user }: RuleScope, source: string): boolean {
  if (project) return source === 'project';
  return user ? source === 'user' : true;
}
