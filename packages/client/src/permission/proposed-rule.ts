import { dirname, relative, sep } from 'node:path';
import { compileRule } from './compiled-rule.ts';
import { Folders } from './folders.ts';
import { judge } from './judge.ts';
import type { PathBases } from './path-pattern.ts';
import type { Action, PermissionRule } from './permissions.ts';
import { isInside, realPath } from './real-path.ts';
import { isInterpreter, isWrapper, riskyOptions } from './risky-commands.ts';
import { type ShellCommand, shellLine } from './shell-line.ts';
import { toolClass } from './tool-name.ts';
import { namedPath } from './use.ts';

/** What a proposal depends on. */
export interface ProposalContext extends PathBases {
  /** Files with rules. */
  readonly guarded: readonly string[];
}

/**
 * The narrowest rule worth remembering that would have allowed an action; undefined if none is safe. For a command its first two
 * words, or the whole line where those say too little; for a file its folder; for an address its host.
 */
export function proposedRule(action: Action, context: ProposalContext): string | undefined {
  const text = action.unclear === undefined ? textFor(action, context) : undefined;
  return text !== undefined && wouldAllow(text, action, context) ? text : undefined;
}

/** A proposal that does not do what it says would be a trap, so it is tried. */
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
  if (action.command !== undefined) return forCommand(action.command);
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

function forCommand(text: string): string | undefined {
  const line = shellLine(text);
  const [command] = line.commands;
  if (!line.isSimple || !command || command.script || !command.words.every(({ kind }) => kind === 'literal'))
    return undefined;
  const spec = specFor(command);
  return spec === undefined ? undefined : `Bash(${spec})`;
}

/** The first two words where the second is a verb; else the whole line, unless it would mean more than itself. */
function specFor({ words, text }: ShellCommand): string | undefined {
  const [name = '', verb = ''] = words.map(({ value }) => value);
  if (isWrapper(name) || riskyOptions(words)?.length !== 0) return undefined;
  const says = words.length > 2 && /^[\w.-]+$/.test(name) && /^[a-z][a-z0-9-]*$/.test(verb);
  if (says && !isInterpreter(name) && !isFarReaching(name, verb)) return `${name} ${verb} *`;
  return /[*\r\n]|\s\s/.test(text) ? undefined : text;
}

/** Commands whose two first words say too little about what they do. */
function isFarReaching(name: string, verb: string): boolean {
  const always =
    /^(?:rm|mv|cp|dd|ln|chmod|chown|chgrp|kill|pkill|killall|curl|wget|scp|rsync|tar|unzip|crontab|systemctl|service|mount|make|just|gh|aws|gcloud|az|terraform|ansible|docker|podman|kubectl|helm)$/;
  const verbs =
    /^(?:add|apply|branch|checkout|clean|config|create|delete|destroy|dlx|exec|filter-branch|i|install|link|login|publish|push|rebase|remote|remove|reset|restore|revert|rm|run|run-script|set|start|stash|submodule|tag|uninstall|update|upgrade|worktree|x)$/;
  return always.test(name) || verbs.test(verb);
}

/** The folder of the files; at the top of the project the file alone, since a folder there is everything. */
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
  const isTop = folder === base || roots.some((root) => realPath(root) === folder);
  if (isTop && more) return undefined;
  // A name without a slash would mean every file of that name.
  const spec = isTop ? shown(base, path).replace(/^(?=[^/]+$)/, './') : `${shown(base, folder)}/**`;
  return /[?\r\n]|\*(?!\*?$)/.test(spec) ? undefined : `${used}(${spec})`;
}

/** A path as the person knows it: from the project, or whole. */
function shown(base: string, path: string): string {
  if (!isInside(base, path)) return path.replaceAll(sep, '/');
  return relative(base, path).replaceAll(sep, '/');
}

function forAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { hostname, protocol } = new URL(url);
  return /^https?:$/.test(protocol) && /^[\w.-]+$/.test(hostname) ? `WebFetch(domain:${hostname})` : undefined;
}
