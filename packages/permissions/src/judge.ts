import { ownFoldersReason } from '@turnwire/machine';
import type { Finding } from './command-pattern.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { Folders } from './folders.ts';
import type { Action, Allowing, Decision, PermissionMode, PermissionRule, RuleEffect } from './permissions.ts';
import { judgeLine } from './shell-judge.ts';
import { doubtsOf } from './shell-line.ts';
import type { ToolClass } from './tool-name.ts';
import { namedPath } from './named-path.ts';
import type { NamedPath } from './path-pattern.ts';
import { type Use, type Uses, usesOf } from './use.ts';

/** Everything a decision depends on. */
export interface Judgement {
  readonly mode: PermissionMode;
  readonly rules: Readonly<Record<RuleEffect, readonly CompiledRule[]>>;
  /** Rules that would allow something if a user had accepted them; used only in explanations. */
  readonly unaccepted?: readonly CompiledRule[];
  readonly folders: Folders;
  /** Which rules and modes may allow something. Default: `all`. */
  readonly allowing?: Allowing | undefined;
  /** The effect for actions without a rule, which replaces the mode's. */
  readonly otherwise: RuleEffect | undefined;
  /** An invalid rule file, whose prohibitions are unknown. */
  readonly broken?: string | undefined;
}

/** Decides in this order: deny, ask, allow, mode. `plan` comes before all of them. With an invalid file every action needs approval. */
export function judge(action: Action, { rules: all, ...rest }: Judgement): Decision {
  const own = (effect: 'ask' | 'deny'): readonly CompiledRule[] => all[effect].filter((rule) => rule.appliesTo(action));
  const by = { ...rest, rules: { allow: all.allow, ask: own('ask'), deny: own('deny') } };
  if (by.mode === 'plan') return { effect: 'deny', reason: 'denied: nothing runs while approval is plan' };
  const uses = usesOf(action);
  return (
    ownFiles(action, uses, by) ??
    firstMatch(action, uses, { by, effect: 'deny' }) ??
    firstMatch(action, uses, { by, effect: 'ask' }) ??
    guarded(uses, by) ??
    unsure(action, uses, by) ??
    unlessBroken(allowedOrNot(action, uses, by), by)
  );
}

/** An invalid file may contain a prohibition of this action, so the user decides, even if a rule or the mode allows it. */
function unlessBroken(decision: Decision, { broken, otherwise: effect }: Judgement): Decision {
  if (broken === undefined || decision.effect !== 'allow') return decision;
  const reason = `the prohibitions in ${broken} are unknown until it is fixed`;
  return effect === 'deny' ? { effect, reason: `denied: ${reason}` } : { effect: 'ask', reason: `asked: ${reason}` };
}

/** No rule and no mode gives an agent access to the settings, keys and sessions of the product itself. */
function ownFiles({ command }: Action, { needed, changes, reads }: Uses, { folders }: Judgement): Decision | undefined {
  const startFolders = needed.flatMap((use) => use.command?.folders ?? []);
  const isOwn = ({ path }: Use): boolean => path !== undefined && folders.isOwn(path);
  const own = needed.find(isOwn) ?? reads().find(isOwn) ?? changes().find(isOwn);
  const isSpelledOut = command !== undefined && folders.areOwnNamedIn(command, startFolders);
  if (!own && !isSpelledOut) return undefined;
  const what = own?.path?.named ?? 'a path in the command';
  return { effect: 'deny', reason: `denied: ${what} is not accessible, since ${ownFoldersReason}` };
}

/** Adds the reason why a seemingly matching rule does not apply. */
function allowedOrNot(action: Action, uses: Uses, by: Judgement): Decision {
  const decision = allowed(action, uses, by);
  const { unaccepted = [] } = by;
  const [first] = unaccepted;
  if (decision.effect === 'allow' || !first) return decision;
  const allow = [...by.rules.allow, ...unaccepted];
  if (allowed(action, uses, { ...by, rules: { ...by.rules, allow } }).effect !== 'allow') return decision;
  const addition = `the rule that would allow it in ${first.rule.file} has not been accepted`;
  return { ...decision, reason: `${decision.reason}; ${addition}` };
}

/**
 * The first rule that asks or denies and matches any part of the action. If it only matches what the action may become, a user decides, in
 * every mode.
 */
function firstMatch(
  action: Action,
  uses: Uses,
  { by, effect }: { by: Judgement; effect: 'ask' | 'deny' },
): Decision | undefined {
  const rules = by.rules[effect].map((rule) => ({ rule, finding: findingOf(rule, action, uses) }));
  const certain = rules.find(({ finding }) => finding === 'certain');
  if (certain) return byRule(certain.rule.rule);
  const possible = rules.find(({ finding }) => finding === 'possible');
  return possible && inDoubt(possible.rule, 'only the shell or the program determines some of its words or files', by);
}

function findingOf(rule: CompiledRule, action: Action, uses: Uses): Finding {
  if (rule.names(action)) return 'certain';
  const findings = usesFor(rule, uses).map((use) => rule.finds(use));
  return findings.includes('certain') ? 'certain' : findings.find((finding) => finding !== undefined);
}

/** Asks, or denies where asking is not possible. */
function inDoubt({ rule }: CompiledRule, reason: string, { mode, otherwise: effect }: Judgement): Decision {
  const isRefused = effect === 'deny' && mode !== 'bypassPermissions';
  const verb = isRefused ? 'denied' : 'asked';
  return {
    effect: isRefused ? 'deny' : 'ask',
    reason: `${verb}: Turnwire cannot tell whether the rule ${rule.text} applies, because ${reason}`,
  };
}

/** The files of a line are only looked up for rules about files. */
function usesFor(rule: CompiledRule, { needed, changes, reads, inside }: Uses): readonly Use[] {
  return [
    ...needed,
    ...(rule.concerns('Read') ? reads() : []),
    ...(rule.isSpecific && fileClasses.some((each) => rule.concerns(each)) ? inside() : []),
    ...(otherClasses.some((each) => rule.concerns(each)) ? changes() : []),
  ];
}

const otherClasses: readonly ToolClass[] = ['Edit', 'Delete', 'Move', 'Search', 'WebFetch'];

const fileClasses: readonly ToolClass[] = ['Read', 'Edit'];

/** The files with rules belong to the user: in no mode and by no rule may an agent change them without a question. */
function guarded({ needed, changes }: Uses, { folders, mode }: Judgement): Decision | undefined {
  // `cp a .` changes the project folder but rarely the rules; with bypassPermissions users would see that question every day.
  const isWhole = ({ named }: NamedPath): boolean => mode === 'bypassPermissions' && folders.areRoots([named]);
  const changed = [...needed, ...changes()].filter((use) => changing.has(use.class));
  const touches = changed.some(({ path }) => path !== undefined && folders.guard(path) && !isWhole(path));
  return touches ? { effect: 'ask', reason: 'asked: it may change the permission rules themselves' } : undefined;
}

/** If deny or ask rules exist and the action is unclear, the user is asked, even where everything else is allowed. */
function unsure(action: Action, uses: Uses, by: Judgement): Decision | undefined {
  const { needed, unclearFiles } = uses;
  const doubt = action.unclear ?? needed.flatMap(({ command }) => (command ? doubtsOf(command.line) : []))[0];
  const used = needed.map((use) => use.class);
  const ruleAbout = (classes: readonly ToolClass[]): CompiledRule | undefined =>
    [...by.rules.deny, ...by.rules.ask].find((rule) => rule.isSpecific && classes.some((each) => rule.concerns(each)));
  const rule = doubt === undefined ? undefined : ruleAbout(used.includes('Bash') ? [...used, ...fileClasses] : used);
  if (rule && doubt !== undefined) return inDoubt(rule, doubt, by);
  const aboutFiles = ruleAbout(fileClasses);
  const unclear = aboutFiles && unclearFiles();
  return aboutFiles && unclear !== undefined ? inDoubt(aboutFiles, unclear, by) : undefined;
}

function allowed(action: Action, { needed }: Uses, by: Judgement): Decision {
  const tool = by.rules.allow.find((rule) => rule.names(action));
  if (tool) return byRule(tool.rule);
  const grounds = needed.map((use) => groundFor(use, action, by));
  const missing = grounds.find((ground) => typeof ground === 'string');
  if (typeof missing === 'string') return secret(needed, by) ?? otherwise(missing, by);
  return because(new Set(grounds.flatMap((ground) => (typeof ground === 'string' ? [] : ground))), by);
}

/** The rules that allow a use, `undefined` for the mode; or, as a text, the reason why nothing does. */
type Ground = readonly (CompiledRule | undefined)[] | string;

function groundFor(use: Use, action: Action, by: Judgement): Ground {
  const whole = by.rules.allow.find((rule) => !rule.isSpecific && rule.allows(use));
  if (whole) return [whole];
  if (by.mode === 'bypassPermissions' && by.allowing !== 'given') return [undefined];
  if (action.unclear !== undefined) return action.unclear;
  if (use.command) return outsideFolder(action, by) ?? groundForLine(use, by);
  const rule = by.rules.allow.find((each) => each.allows(use)) ?? ruleForLook(use, action, by);
  if (rule) return [rule];
  if (by.allowing === 'given') return unruled(use, action);
  return allowsByMode(use, action, by) ? [undefined] : unruled(use, action);
}

/**
 * Why a command may not start in this folder. One that starts outside the session's folders is treated like one that changes there first.
 */
function outsideFolder({ cwd }: Action, { folders }: Judgement): string | undefined {
  return cwd === undefined || folders.hold(namedPath(cwd))
    ? undefined
    : `the command runs in ${cwd}, which is not in the folders of the session`;
}

function groundForLine({ command }: Use, by: Judgement): Ground {
  if (!command) return 'no rule applies';
  const acceptsEdits = by.mode === 'acceptEdits' && by.allowing !== 'given';
  const verdict = judgeLine(command, { rules: by.rules.allow, folders: by.folders, acceptsEdits });
  if (!verdict.allowed) return verdict.because;
  return verdict.byMode || verdict.by.size === 0 ? [...verdict.by, undefined] : [...verdict.by];
}

/** The rule that allows reading a file because it allows changing it, unless another rule applies. */
function ruleForLook(use: Use, { source }: Action, { allowing, rules }: Judgement): CompiledRule | undefined {
  if (allowing !== 'given' || source !== 'host' || use.class !== 'Read') return undefined;
  return rules.allow.find((each) => each.allows({ ...use, class: 'Edit' }));
}

function unruled(use: Use, { namedCommands }: Action): string {
  return use.class === 'Other' && namedCommands !== undefined
    ? 'it contains a command, but no shell is known to run it'
    : 'no rule applies';
}

function allowsByMode({ class: used, path }: Use, { source }: Action, { mode, folders }: Judgement): boolean {
  const isHeld = path !== undefined && folders.hold(path);
  // Reading through the client needs no question, because agents can also read without the client.
  if (source === 'host' && used === 'Read') return isHeld;
  if (mode !== 'acceptEdits') return false;
  if (changing.has(used)) return path !== undefined && folders.letChange(path);
  if (used === 'Search') return path === undefined || isHeld;
  return used === 'Think' || (used === 'Read' && isHeld);
}

const changing: ReadonlySet<ToolClass> = new Set(['Edit', 'Delete', 'Move']);

function byRule(rule: PermissionRule): Decision {
  const { effect, message } = rule;
  const reason = `${verbs[effect]} by the rule ${originOf(rule)}`;
  return { effect, reason: message === undefined ? reason : `${reason}: ${message}`, rule };
}

function because(grounds: ReadonlySet<CompiledRule | undefined>, { mode }: Judgement): Decision {
  const rules = [...grounds].flatMap((ground) => (ground ? [ground.rule] : []));
  const [rule] = rules;
  const names = rules.map(originOf).join(' and ');
  const reasons = [
    ...(rule ? [`the ${rules.length > 1 ? 'rules' : 'rule'} ${names}`] : []),
    ...(grounds.has(undefined) ? [modeReason(mode)] : []),
  ];
  return {
    effect: 'allow',
    reason: `allowed by ${reasons.join(' and ')}`,
    ...(rule && { rule }),
    ...(grounds.has(undefined) && { byMode: true }),
  };
}

/** Asks about files with secrets, even if actions without a rule are allowed, as reading is for the built-in agent. */
function secret(needed: readonly Use[], { folders, otherwise: effect }: Judgement): Decision | undefined {
  const path = needed.flatMap((use) => use.path ?? []).find((each) => folders.isSecret(each));
  if (!path || effect === 'deny') return undefined;
  return {
    effect: 'ask',
    reason: `asked: programs store keys or passwords in ${path.named}, and no rule allows access`,
  };
}

function modeReason(mode: PermissionMode): string {
  return mode === 'default' ? 'the default for the folders of the session' : `approval ${mode}`;
}

function otherwise(missing: string, { mode, otherwise: effect }: Judgement): Decision {
  if (effect !== undefined) return { effect, reason: `${verbs[effect]} as every action without a rule: ${missing}` };
  return { effect: 'ask', reason: `asked: ${missing}, and approval is ${mode}` };
}

const verbs: Readonly<Record<RuleEffect, string>> = { allow: 'allowed', ask: 'asked', deny: 'denied' };

/** The text of a rule and its origin. */
function originOf({ text: rule, child, source, file, isHeld }: PermissionRule): string {
  const text = child === undefined ? rule : `${rule} for subagents ${child}`;
  if (isHeld) return `${text}, which was in ${file} earlier and applies until the session ends`;
  if (file !== undefined) return `${text} in ${file}`;
  return `${text} ${source === 'session' ? 'of this session' : 'from the command line'}`;
}
