import { join, relative, resolve } from 'node:path';
import type {
  ContentBlock,
  Diff,
  QuestionView,
  RequestPermissionRequest,
  ShownPath,
  ToolCallUpdate,
} from '@turnwire/protocol';
import { isInside, realPath } from '@turnwire/machine';
import { fieldsOf } from './command-input.ts';
import type { Folders } from './folders.ts';
import type { Action } from './permissions.ts';
import { questionChoices } from './question-choices.ts';
import { shownDiffs } from './shown-diffs.ts';
import { toolClass } from './tool-name.ts';
import { namedPath } from './named-path.ts';

/** The inputs of a view. */
export interface ViewedQuestion {
  readonly action: Action;
  readonly request: RequestPermissionRequest;
  readonly reason: string;
  readonly proposedRule: string | undefined;
  /** The folders of the session, and the files with rules. */
  readonly folders: Folders;
}

/** The view of a question, derived from the judged action. The agent's own description is separate. */
export function viewQuestion({ action, request, reason, proposedRule, folders }: ViewedQuestion): QuestionView {
  const { command, url, namedCommands = [], kind, unclear, source, child } = action;
  const { toolCall, options } = request;
  const diffs = shownDiffs(request, action);
  const texts = textsOf(toolCall);
  const tool = toolOf(action);
  const paths = shownPaths(action, folders);
  const about = command ?? url ?? namedCommands[0] ?? tool ?? firstOf(paths);
  const heading = headingOf(action);
  const doubts = unclear === undefined || reason.includes(unclear) ? [] : [unclear];
  // The client itself creates the request about a host call.
  const said =
    source === 'host'
      ? { notes: [...doubts, ...texts], agentWords: { texts: [] } }
      : {
          notes: doubts,
          agentWords: { title: titleBesides(toolCall.title, command), texts },
          input: inputBesides(toolCall, { action, diffs, texts }),
        };
  return {
    ...{ toolCallId: toolCall.toolCallId, kind, heading, reason, proposedRule },
    ...(child && { child }),
    summary: about === undefined ? `${heading}${saidBy(toolCall)}` : `${heading}: ${about}`,
    ...{ command, folder: otherFolder(action), namedCommands, tool, url, paths, diffs },
    ...said,
    choices: questionChoices(options, proposedRule),
  };
}

/** The title of the agent, used only for calls without facts to show. */
function saidBy({ title }: ToolCallUpdate): string {
  return title ? `; the agent says "${title}"` : '';
}

function otherFolder({ command, cwd, roots }: Action): string | undefined {
  return command === undefined || cwd === roots[0] ? undefined : cwd;
}

function firstOf([first, ...others]: readonly ShownPath[]): string | undefined {
  return others.length === 0 ? first?.path : `${first?.path} and ${others.length} more`;
}

function headingOf({ kind, command, paths }: Action): string {
  if (command !== undefined) return 'Run a command';
  const files = paths.length > 1 ? `${paths.length} files` : paths.length === 1 ? 'a file' : 'unknown files';
  const verb = verbs[kind];
  return verb === undefined ? (headings[kind] ?? 'Use a tool') : `${verb} ${files}`;
}

const verbs: Readonly<Record<string, string | undefined>> = {
  read: 'Read',
  edit: 'Change',
  delete: 'Delete',
  move: 'Move',
};
const headings: Readonly<Record<string, string | undefined>> = {
  execute: 'Run an unknown command',
  search: 'Search',
  fetch: 'Fetch from an address',
  think: 'Think',
  switch_mode: 'Change the mode of the session',
};

/** The name of a tool, unless its kind describes it. For unspecific kinds, and for MCP servers, only the name is known. */
function toolOf({ tool, kind, command }: Action): string | undefined {
  const isKnown = command !== undefined || (kind !== 'other' && toolClass(kind) !== undefined);
  const name = tool !== undefined && (!isKnown || tool.includes('__')) ? tool : undefined;
  if (isKnown || kind === 'other') return name;
  return name === undefined ? `of the kind ${kind}` : `${name}, of the kind ${kind}`;
}

function shownPaths(action: Action, folders: Folders): readonly ShownPath[] {
  const changes = /^(?:edit|delete|move)$/.test(action.kind);
  const all = action.paths.map((path): ShownPath => {
    const name = namedPath(path);
    const caution = cautionOn(name, folders, changes && !action.roots.includes(path));
    const isLink = name.real !== undefined && name.real !== expectedPlace(path, action.roots);
    return { path, ...(isLink && { leadsTo: name.real }), ...(caution !== undefined && { caution }) };
  });
  const isOdd = ({ caution, leadsTo }: ShownPath): boolean => caution !== undefined || leadsTo !== undefined;
  return [...all.filter(isOdd), ...all.filter((path) => !isOdd(path))];
}

/** The location of a path without links below the folders of the session. */
function expectedPlace(path: string, roots: readonly string[]): string {
  const root = roots.find((each) => isInside(each, path));
  return root === undefined ? path : join(realPath(root) ?? root, relative(root, path));
}

function cautionOn(path: ReturnType<typeof namedPath>, folders: Folders, changes: boolean): string | undefined {
  if (folders.guard(path)) return 'contains permission rules';
  if (folders.isSecret(path)) return 'programs store keys or passwords there';
  if (!folders.hold(path)) return 'outside the folders of the session';
  return changes && !folders.letChange(path) ? 'determines which programs run' : undefined;
}

/** The title, unless it repeats the command. */
function titleBesides(title: string | null | undefined, command: string | undefined): string | undefined {
  const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
  const bare = oneLine(title ?? '').replaceAll(/^[`$]\s*|`$/g, '');
  return bare === '' || (command !== undefined && bare === oneLine(command)) ? undefined : (title ?? undefined);
}

interface Said {
  readonly action: Action;
  readonly diffs: readonly Diff[];
  readonly texts: readonly string[];
}

/** The input as JSON, if it contains something that is not shown otherwise. */
function inputBesides({ rawInput, content }: ToolCallUpdate, { action, diffs, texts }: Said): string | undefined {
  const { command, unclear, url, paths, roots } = action;
  if (rawInput === undefined || rawInput === null) return undefined;
  const isTold = command !== undefined || content?.some(({ type }) => type === 'diff');
  if (unclear === undefined && isTold) return undefined;
  const isSaid = (value: unknown): boolean => {
    if (typeof value !== 'string') return typeof value !== 'object' || value === null;
    if (value === url || texts.some((text) => text.includes(value))) return true;
    if (diffs.some(({ oldText, newText }) => value === newText || value === oldText)) return true;
    return paths.includes(resolve(roots[0] ?? '/', value));
  };
  const fields = fieldsOf(rawInput);
  const isAllSaid = fields ? Object.values(fields).flat().every(isSaid) : isSaid(rawInput);
  return isAllSaid ? undefined : JSON.stringify(rawInput, undefined, 1);
}

/** The text content. */
function textsOf({ content }: ToolCallUpdate): readonly string[] {
  return (content ?? []).flatMap((each) =>
    each.type === 'content' && 'content' in each ? [textOf(each.content)] : [],
  );
}

function textOf(content: ContentBlock): string {
  if (content.type === 'text') return content.text;
  if (content.type === 'resource_link') return `${content.title ?? content.name}: ${content.uri}`;
  return content.type === 'resource' && 'text' in content.resource ? content.resource.text : `[${content.type}]`;
}
