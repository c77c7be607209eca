import { TurnwireError } from '@turnwire/protocol';
import { commandPattern, type Finding } from './command-pattern.ts';
import { type PathBases, pathPattern } from './path-pattern.ts';
import type { Action, PermissionRule } from './permissions.ts';
import type { ShellCommand } from './shell-line.ts';
import { classMeant, concerns, type ToolClass, toolClass } from './tool-name.ts';
import type { Use } from './use.ts';
import { wildcard } from './wildcard.ts';
import { lengthProblem } from './written-rule.ts';

/** A rule in matchable form. */
export interface CompiledRule {
  readonly rule: PermissionRule;
  /** Whether the rule names certain commands, paths or addresses, as opposed to every use of a tool. */
  readonly isSpecific: boolean;
  /** Whether the rule applies to the session or the subagent that acts. */
  appliesTo(action: Action): boolean;
  /** Whether the rule applies to tools of this class. */
  concerns(used: ToolClass): boolean;
  /** Whether the rule names the tool itself. */
  names(action: Action): boolean;
  /** Used for rules that allow. A command line is allowed command by command. */
  allows(use: Use): boolean;
  /** Used for rules that allow. */
  allowsCommand(command: ShellCommand): boolean;
  /** Used for rules that ask or deny. */
  finds(use: Use): Finding;
}

interface Matches {
  readonly allows: (use: Use) => boolean;
  readonly allowsCommand: (command: ShellCommand) => boolean;
  readonly finds: (use: Use) => Finding;
}

const never = (): boolean => false;
const always = (): boolean => true;

/** Parses a rule: `Name` or `Name(…)`. Throws `invalid-input` if it is invalid. */
export function compileRule(rule: PermissionRule, bases: PathBases): CompiledRule {
  const { effect, text, message, child } = rule;
  const tooLong = lengthProblem(rule);
  if (tooLong !== undefined) throw new TurnwireError('invalid-input', `The permission rule is too long: ${tooLong}`);
  if (message !== undefined && effect !== 'deny') throw unreadable(text, 'only a rule that denies can have a message');
  if (child !== undefined && effect === 'allow')
    throw unreadable(text, 'a rule that allows cannot name a subagent, because agents choose these names');
  const isChild = child === undefined ? undefined : wildcard(child);
  const appliesTo = (action: Action): boolean =>
    isChild === undefined || (action.child !== undefined && isChild(action.child.name));
  return { ...parsedRule(rule, bases), appliesTo };
}

function parsedRule(rule: PermissionRule, bases: PathBases): Omit<CompiledRule, 'appliesTo'> {
  const { name, spec } = parts(rule.text);
  const about = toolClass(name);
  if (about === undefined) return namedTool(rule, name, spec);
  const isSpecific = spec !== undefined && !/^\s*(?:\*|:\*)\s*$/.test(spec);
  const matches = isSpecific
    ? specific(about, { spec, text: rule.text }, bases)
    : {
        allows: always,
        allowsCommand: always,
        finds: ({ isGuess }: Use): Finding => (isGuess ? undefined : 'certain'),
      };
  const isAbout = (used: ToolClass): boolean => concerns(about, used, rule.effect === 'allow');
  return {
    rule,
    isSpecific,
    concerns: isAbout,
    names: never,
    allows: (use) => isAbout(use.class) && matches.allows(use),
    allowsCommand: (command) => isAbout('Bash') && matches.allowsCommand(command),
    finds: (use) => (isAbout(use.class) ? matches.finds(use) : undefined),
  };
}

function parts(text: string): { readonly name: string; readonly spec: string | undefined } {
  const found = /^\s*([\w.:*/@-]+)\s*(?:\((.*)\))?\s*$/su.exec(text);
  if (!found?.[1] || found[2]?.trim() === '')
    throw unreadable(text, 'write it like Bash, Bash(git status *) or Edit(src/**)');
  return { name: found[1], spec: found[2] };
}

function unreadable(text: string, advice: string): TurnwireError {
  return new TurnwireError('invalid-input', `The permission rule ${JSON.stringify(text)} cannot be read: ${advice}`);
}

/** A rule about one tool, or with `*` several, by the name the agent uses. */
function namedTool(rule: PermissionRule, name: string, spec: string | undefined): Omit<CompiledRule, 'appliesTo'> {
  if (spec !== undefined)
    throw unreadable(
      rule.text,
      `only the tools Bash, Read, Edit, Search, Delete, Move and WebFetch accept text in brackets`,
    );
  const matches = wildcard(name);
  const isEvery = name === '*';
  // A rule that forbids `bash` means every shell, and not only a tool with that name.
  const meant = rule.effect === 'allow' ? undefined : classMeant(name);
  const isMeant = (used: ToolClass): boolean => meant !== undefined && concerns(meant, used, false);
  return {
    rule,
    isSpecific: false,
    concerns: (used) => isEvery || isMeant(used),
    names: ({ tool }) => isEvery || (tool !== undefined && matches(tool)),
    allows: never,
    allowsCommand: never,
    finds: ({ class: used, isGuess }) => (isMeant(used) && !isGuess ? 'certain' : undefined),
  };
}

function specific(about: ToolClass, { spec, text }: { spec: string; text: string }, bases: PathBases): Matches {
  if (about === 'Bash') return commandMatches(spec);
  if (about === 'WebFetch') return domainMatches(spec, text);
  if (about === 'Think' || about === 'SwitchMode' || about === 'Other')
    throw unreadable(text, 'this tool accepts no text in brackets');
  const pattern = pathPattern(spec, bases);
  return {
    allowsCommand: never,
    allows: ({ class: used, path }) => {
      if (path === undefined) return false;
      if (!changing.has(used)) return pattern.allows(path);
      return pattern.allowsChange(path) && (!removes(used) || pattern.allowsChange({ ...path, real: path.location }));
    },
    finds: ({ path, isPossible }) =>
      path !== undefined && pattern.finds(path) ? (isPossible ? 'possible' : 'certain') : undefined,
  };
}

const changing: ReadonlySet<ToolClass> = new Set(['Edit', 'Delete', 'Move']);

/** Whether the tool removes a path. Removing a link removes the link itself and not its target. */
function removes(used: ToolClass): boolean {
  return used === 'Delete' || used === 'Move';
}

function commandMatches(spec: string): Matches {
  const pattern = commandPattern(spec);
  return {
    allows: never,
    allowsCommand: (command) => pattern.allows(command),
    finds: ({ command }) => command && pattern.finds(command.texts()),
  };
}

function domainMatches(spec: string, text: string): Matches {
  const domain = /^\s*domain:\s*(\*\.)?([\w.-]+)\s*$/.exec(spec);
  if (!domain?.[2])
    throw unreadable(text, 'write WebFetch(domain:example.com), or domain:*.example.com for its subdomains');
  const host = domain[2].toLowerCase();
  const isBelow = (found: string): boolean => found.endsWith(`.${host}`);
  const isIt = domain[1] === undefined ? (found: string) => found === host : isBelow;
  return {
    allowsCommand: never,
    allows: ({ url }) => hostsOf(url).some(isIt),
    finds: ({ url }) => (hostsOf(url).some((found) => isIt(found) || isBelow(found)) ? 'certain' : undefined),
  };
}

function hostsOf(url: string | undefined): readonly string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) ? [hostname.toLowerCase().replace(/\.$/, '')] : [];
}
