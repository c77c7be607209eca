import { dirname, relative, sep } from 'node:path';
import { isInside, realPath } from '@turnwire/machine';
import { hasRiskyOptions } from './command-options.ts';
import { compileRule } from './compiled-rule.ts';
import { Folders } from './folders.ts';
import { judge } from './judge.ts';
import type { PathBases } from './path-pattern.ts';
import type { Action, PermissionRule } from './permissions.ts';
import { makesProgramsRun } from './program-locations.ts';
import { isWrapper } from './risky-commands.ts';
import { type ShellCommand, shellLine } from './shell-line.ts';
import { toolClass } from './tool-name.ts';
import { namedPath } from './named-path.ts';

/** The context of a proposal. */
export interface ProposalContext extends PathBases {
  /** Files with rules. */
  readonly guarded: readonly string[];
}

/**
 * The narrowest rule worth remembering that would have allowed an action; undefined if none is safe. For a command the whole line, or a
 * read-only verb of git; for a file its folder; for an address its host.
 */
export function proposedRule(action: Action, context: ProposalContext): string | undefined {
  const text = action.unclear === undefined ? textFor(action, context) : undefined;
  return text !== undefined && wouldAllow(text, action, context) ? text : undefined;
}

/** Whether the proposed rule has its intended effect. One that does not would mislead. */
function wouldAllow(text: string, action: Action, context: ProposalContext): boolean {
  try {
    const rule: PermissionRule = { text, effect: 'allow', source: 'session' };
    const rules = { allow: [compileRule(rule, context)], ask: [], deny: [] };
    const folders = new Folders(action.roots, context.guarded);
    return judge(action, { mode: 'default', rules, folders, otherwise: undefined }).effect === 'allow';
  } catch {
    return false;
  }
}

function textFor(action: Action, context: ProposalContext): string | undefined {
  if (action.command !== undefined) return forCommand(action);
  const used = toolClass(action.kind) ?? 'Other';
  if (used === 'Edit' || used === 'Read') return forPaths(used, action, context);
  if (used === 'WebFetch') return forAddress(action.url);
  const isName =
    used === 'Other' &&
    action.tool !== undefined &&
    toolClass(action.tool) === undefined &&
    /^\w[\w.-]*$/.test(action.tool);
  return isName ? action.tool : undefined;
}

function forCommand({ command: text = '', shell }: Action): string | undefined {
  const line = shellLine(text, shell);
  const [command] = line.commands;
  if (!line.isSimple || !command || command.script || !command.words.every(({ kind }) => kind === 'literal'))
    return undefined;
  const spec = specFor(command);
  return spec === undefined ? undefined : `Bash(${spec})`;
}

/**
 * The verb with any arguments, if those are known to be as harmless as the ones shown. Otherwise the whole line, unless that would match
 * further lines.
 */
function specFor({ words, text }: ShellCommand): string | undefined {
  const [name = '', verb = ''] = words.map(({ value }) => value);
  if (isWrapper(name) || hasRiskyOptions(words)) return undefined;
  if (words.length > 2 && openVerbs[name]?.split(' ').includes(verb)) return `${name} ${verb} *`;
  return /[*\r\n]|\s\s/.test(text) ? undefined : text;
}

/** Verbs with the same effect for any argument: they read, or stage and commit, and their options are in a table. */
const openVerbs: Readonly<Record<string, string>> = {
  git: 'add blame commit describe diff fetch grep log ls-files merge-base rev-list rev-parse shortlog show show-ref status',
};

/**
 * A rule for the folder of the files. Only the file itself if it is at the top of the project, where a folder rule would match everything,
 * or makes programs run.
 */
function forPaths(
  used: 'Edit' | 'Read',
  { paths, roots }: Action,
  { project, guarded }: ProposalContext,
): string | undefined {
  const files = paths.map(namedPath);
  const folders = new Folders(roots, guarded);
  const [path, more] = new Set(files.map(({ real }) => real));
  const [folder, another] = new Set(files.map(({ real }) => real !== undefined && dirname(real)));
  const base = realPath(project);
  if (!path || !folder || another || base === undefined || !files.every((each) => folders.hold(each))) return undefined;
  const isAlone = isTop(folder, base, roots) || (used === 'Edit' && makesProgramsRun(base, path));
  if (isAlone && more) return undefined;
  // A name without a slash would match every file of that name.
  const spec = isAlone ? shown(base, path).replace(/^(?=[^/]+$)/, './') : `${shown(base, folder)}/**`;
  return /[?\r\n]|\*(?!\*?$)/.test(spec) ? undefined : `${used}(${spec})`;
}

/** Whether a folder is the project or a session's root: a rule for everything inside would match everything. */
function isTop(folder: string, base: string, roots: readonly string[]): boolean {
  return folder === base || roots.some((root) => realPath(root) === folder);
}

/** A path as the user knows it: relative to the project, or absolute. */
function shown(base: string, path: string): string {
  if (!isInside(base, path)) return path.replaceAll(sep, '/');
  return relative(base, path).replaceAll(sep, '/');
}

function forAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { hostname, protocol } = new URL(url);
  return /^https?:$/.test(protocol) && /^[\w.-]+$/.test(hostname) ? `WebFetch(domain:${hostname})` : undefined;
}
