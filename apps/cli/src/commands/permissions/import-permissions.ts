import { join } from 'node:path';
import { homeFolder, readOwnFile, readProjectFile } from '@turnwire/machine';
import { createPermissions, type GivenRule, type RuleEffect } from '@turnwire/permissions';
import { parse, type ParseError } from 'jsonc-parser';
import { isObject } from '../../is-object.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { report } from '../report.ts';
import { changedSource, type RuleScope, permissionsOfFiles } from './rule-scope.ts';

/** The arguments of `permissions import`. */
export interface ImportArguments extends RuleScope {
  /** Default: `.claude/settings.json` of the project, with `--user` that of the user. */
  readonly file?: string | undefined;
  readonly dryRun?: true;
}

const effects: readonly RuleEffect[] = ['deny', 'ask', 'allow'];

/**
 * Adds the permission rules from settings of Claude Code to a rules file. Resolves with the exit code: 1 if a rule cannot be converted. Such
 * rules are reported, and all others are added.
 */
export async function importPermissions(args: ImportArguments, options: GlobalOptions): Promise<number> {
  const path = args.file ?? join(args.user ? homeFolder() : options.cwd, '.claude', 'settings.json');
  const found = rulesIn(textOf(path, args, options), path);
  const rules = found.map((rule) => ({ ...rule, problem: problemOf(rule, options.cwd) }));
  const permissions = permissionsOfFiles(options.cwd);
  const source = changedSource(args);
  for (const { effect, text, problem } of rules) {
    if (problem !== undefined) {
      warn(`${effect} ${cleanLine(text)} was not imported: ${problem}`);
      continue;
    }
    if (!args.dryRun) await permissions.addRule(effect, text, source);
    report(options, { action: args.dryRun ? 'rule_found' : 'rule_added', effect, text, source }, () =>
      options.format === 'quiet' ? undefined : `${effect} ${cleanLine(text)}`,
    );
  }
  if (rules.length === 0) warn(`there are no rules in ${path}`);
  return rules.some(({ problem }) => problem !== undefined) ? exitCodes.error : exitCodes.ok;
}

function textOf(path: string, { file, user }: ImportArguments, { cwd }: GlobalOptions): string {
  const isOwn = file !== undefined || user === true;
  let text: string | undefined;
  try {
    text = isOwn ? readOwnFile(path) : readProjectFile(path, { project: cwd });
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.error);
  }
  if (text === undefined)
    throw new CommandError(`there is no file ${path}. Name one: permissions import FILE`, exitCodes.error);
  return text;
}

function rulesIn(text: string, path: string): readonly GivenRule[] {
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(settings)) throw new CommandError(`${path} is not JSON`, exitCodes.error);
  const permissions = isObject(settings['permissions']) ? settings['permissions'] : {};
  const others = Object.keys(permissions).filter((key) => !effects.some((effect) => effect === key));
  if (others.length > 0) warn(`only rules are imported; these settings are not: ${others.map(cleanLine).join(', ')}`);
  return effects.flatMap((effect) => {
    const list = permissions[effect];
    return (Array.isArray(list) ? list : []).map((rule) => ({ effect, text: translated(String(rule)) }));
  });
}

/** Converts the paths of a rule: in Claude Code `//` starts an absolute path, and `/` a path in the project. */
function translated(rule: string): string {
  return rule
    .trim()
    .replace(/^(Read|Edit|Write|MultiEdit|Glob|Grep)\((\/\/?)/, (_, name: string, start: string) =>
      start === '//' ? `${name}(/` : `${name}(./`,
    );
}

function problemOf({ effect, text }: GivenRule, project: string): string | undefined {
  try {
    createPermissions({ project, rules: [{ effect, text }] });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
