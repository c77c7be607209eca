import type { CompiledRule } from './compiled-rule.ts';
import type { Folders } from './folders.ts';
import type { Action, Decision, PermissionMode, PermissionRule, RuleEffect } from './permissions.ts';
import { judgeLine } from './shell-judge.ts';
import type { ToolClass } from './tool-name.ts';
import { type Use, type Uses, usesOf } from './use.ts';

/** All that decides. */
export interface Judgement {
  readonly mode: PermissionMode;
  readonly rules: Readonly<Record<RuleEffect, readonly CompiledRule[]>>;
  /** Rules that would allow something, if a person had accepted them. They only explain. */
  readonly unaccepted?: readonly CompiledRule[];
  readonly folders: Folders;
  /** What to do about what no rule is about, instead of what the mode says. */
  readonly otherwise: RuleEffect | undefined;
}

/** Deny, then ask, then allow, then the mode; `plan` before all of them. */
export function judge(action: Action, by: Judgement): Decision {
  if (by.mode === 'plan') return { effect: 'deny', reason: 'denied: in the mode plan nothing runs' };
  const uses = usesOf(action);
  return (
    found(action, uses, by.rules.deny) ??
    found(action, uses, by.rules.ask) ??
    guarded(uses, by) ??
    unsure(action, uses, by) ??
    allowedOrNot(action, uses, by)
  );
}

/** With the reason why a rule that seems to be there does not help. */
function allowedOrNot(action: Action, uses: Uses, by: Judgement): Decision {
  const decision = allowed(action, uses, by);
  const { unaccepted = [] } = by;
  const [first] = unaccepted;
  if (decision.effect === 'allow' || !first) return decision;
  const allow = [...by.rules.allow, ...unaccepted];
  if (allowed(action, uses, { ...by, rules: { ...by.rules, allow } }).effect !== 'allow') return decision;
  const remark = `what would allow it in ${first.rule.file} has not been accepted`;
  return { ...decision, reason: `${decision.reason}; ${remark}` };
}

/** The first rule that asks or denies and is about any part of the action. */
function found(action: Action, uses: Uses, rules: readonly CompiledRule[]): Decision | undefined {
  const rule = rules.find((each) => each.names(action) || usesFor(each, uses).some((use) => each.finds(use)));
  return rule && byRule(rule.rule);
}

/** Which files a line touches is only looked up for rules about files. */
function usesFor(rule: CompiledRule, { needed, changes, reads }: Uses): readonly Use[] {
  return [
    ...needed,
    ...(rule.concerns('Read') ? reads() : []),
    ...(otherClasses.some((each) => rule.concerns(each)) ? changes() : []),
  ];
}

const otherClasses: readonly ToolClass[] = ['Edit', 'Delete', 'Move', 'Search', 'WebFetch'];

const fileClasses: readonly ToolClass[] = ['Read', 'Edit'];

/** The files with the rules are the person's: an agent that may edit everything may not give itself permissions. */
function guarded({ needed, changes }: Uses, { mode, folders }: Judgement): Decision | undefined {
  if (mode === 'bypassPermissions') return undefined;
  const changed = [...needed, ...changes()].filter((use) => changing.has(use.class));
  const touches = changed.some(({ path }) => path !== undefined && folders.guard(path));
  return touches ? { effect: 'ask', reason: 'asked: it may change the permissions themselves' } : undefined;
}

/** Whoever forbids certain things is asked about what cannot be read, even where everything else is allowed. */
function unsure(action: Action, uses: Uses, { rules, mode, otherwise }: Judgement): Decision | undefined {
  const { needed, unclearFiles } = uses;
  const doubt = unclearFiles ?? action.unclear ?? needed.flatMap(({ command }) => command?.line.doubts ?? [])[0];
  if (doubt === undefined) return undefined;
  const classes = [...needed.map((use) => use.class), ...(unclearFiles === undefined ? [] : fileClasses)];
  const rule = [...rules.deny, ...rules.ask].find(
    (each) => each.isSpecific && classes.some((used) => each.concerns(used)),
  );
  if (!rule || (otherwise === 'deny' && mode !== 'bypassPermissions')) return undefined;
  return {
    effect: 'ask',
    reason: `asked: whether the rule ${rule.rule.text} is about it cannot be told, because ${doubt}`,
  };
}

function allowed(action: Action, { needed }: Uses, by: Judgement): Decision {
  const tool = by.rules.allow.find((rule) => rule.names(action));
  if (tool) return byRule(tool.rule);
  const grounds = needed.map((use) => groundFor(use, action, by));
  const missing = grounds.find((ground) => typeof ground === 'string');
  if (typeof missing === 'string') return otherwise(missing, by);
  return because(new Set(grounds.flatMap((ground) => (typeof ground === 'string' ? [] : ground))), by);
}

/** What allows a use: rules, or by `undefined` the mode; or, as a text, why nothing does. */
type Ground = readonly (CompiledRule | undefined)[] | string;

function groundFor(use: Use, action: Action, by: Judgement): Ground {
  const whole = by.rules.allow.find((rule) => !rule.isSpecific && rule.allows(use));
  if (whole) return [whole];
  if (by.mode === 'bypassPermissions') return [undefined];
  if (action.unclear !== undefined) return action.unclear;
  if (use.command) return groundForLine(use, by);
  const rule = by.rules.allow.find((each) => each.allows(use));
  if (rule) return [rule];
  return allowsByMode(use, action, by) ? [undefined] : 'no rule is about it';
}

function groundForLine({ command }: Use, by: Judgement): Ground {
  if (!command) return 'no rule is about it';
  const acceptsEdits = by.mode === 'acceptEdits';
  const verdict = judgeLine(command, { rules: by.rules.allow, folders: by.folders, acceptsEdits });
  if (!verdict.allowed) return verdict.because;
  return verdict.byMode || verdict.by.size === 0 ? [...verdict.by, undefined] : [...verdict.by];
}

function allowsByMode({ class: used, path }: Use, { source }: Action, { mode, folders }: Judgement): boolean {
  const isHeld = path !== undefined && folders.hold(path);
  // An agent that reads through us asks nobody, as it asks nobody when it reads by itself.
  if (source === 'host' && used === 'Read') return isHeld;
  if (mode !== 'acceptEdits') return false;
  if (changing.has(used)) return path !== undefined && folders.letChange(path);
  if (used === 'Search') return path === undefined || isHeld;
  return used === 'Think' || (used === 'Read' && isHeld);
}

const changing: ReadonlySet<ToolClass> = new Set(['Edit', 'Delete', 'Move']);

function byRule(rule: PermissionRule): Decision {
  return { effect: rule.effect, reason: `${verbs[rule.effect]} by the rule ${place(rule)}`, rule };
}

function because(grounds: ReadonlySet<CompiledRule | undefined>, { mode }: Judgement): Decision {
  const rules = [...grounds].flatMap((ground) => (ground ? [ground.rule] : []));
  const [rule] = rules;
  const names = rules.map(place).join(' and ');
  const reasons = [
    ...(rule ? [`the ${rules.length > 1 ? 'rules' : 'rule'} ${names}`] : []),
    ...(grounds.has(undefined) ? [modeReason(mode)] : []),
  ];
  return { effect: 'allow', reason: `allowed by ${reasons.join(' and ')}`, ...(rule && { rule }) };
}

function modeReason(mode: PermissionMode): string {
  return mode === 'default' ? 'being only about the folders of the session' : `the mode ${mode}`;
}

function otherwise(missing: string, { mode, otherwise: effect }: Judgement): Decision {
  if (effect !== undefined) return { effect, reason: `${verbs[effect]} as everything no rule is about: ${missing}` };
  return { effect: 'ask', reason: `asked: ${missing}, and the mode is ${mode}` };
}

const verbs: Readonly<Record<RuleEffect, string>> = { allow: 'allowed', ask: 'asked', deny: 'denied' };

/** A rule with where it comes from. */
function place({ text, source, file }: PermissionRule): string {
  if (file !== undefined) return `${text} in ${file}`;
  return `${text} ${source === 'session' ? 'of this session' : 'from the command line'}`;
}
