import { relative } from 'node:path';
import { realPath } from '@turnwire/machine';
import { type CommandTexts, commandTexts } from './command-texts.ts';
import { lineFiles } from './line-files.ts';
import { type namedPath, memoizedNaming } from './named-path.ts';
import { once } from './once.ts';
import type { NamedPath } from './path-pattern.ts';
import type { Action } from './permissions.ts';
import { type ShellLine, shellLine } from './shell-line.ts';
import { isServerTool, type ToolClass, toolClass } from './tool-name.ts';

/** A single effect of an action. */
export interface Use {
  readonly class: ToolClass;
  readonly path?: NamedPath;
  readonly url?: string;
  readonly command?: CommandUse;
  /** A word of a command that may be a file: only rules about certain files apply. */
  readonly isGuess?: boolean;
  /** Whether it is only possible. A rule that denies then asks. */
  readonly isPossible?: boolean;
}

/** A parsed command line. */
export interface CommandUse {
  readonly line: ShellLine;
  /** The folders it may run in: where it starts and the targets of `cd`. */
  readonly folders: readonly string[];
  /** The start folder as `cd` would name it, absolute and relative to the session's, if it is not the session's own. */
  readonly startsIn?: readonly string[];
  /** Everything it may run; computed on demand. */
  readonly texts: () => CommandTexts;
}

/** The effects of an action: those that must be allowed, and others that rules may ask about or deny; computed on demand. */
export interface Uses {
  readonly needed: readonly Use[];
  /** Files it may change, and other effects that are not only reading. */
  readonly changes: () => readonly Use[];
  readonly reads: () => readonly Use[];
  /** Files in the folders that commands name, which they may read or change recursively. */
  readonly inside: () => readonly Use[];
  /** Why its files are unclear, if they are. Rules about files are then undecided. */
  readonly unclearFiles: () => string | undefined;
}

/** The uses of the latest action, cached until the current task ends. No other code can change the meaning of its words before that. */
let latest: { readonly action: Action; readonly uses: Uses } | undefined;

/** The uses of an action. Shared by the judge and the proposal of a rule, which need them for the same action. */
export function usesOf(action: Action): Uses {
  if (latest?.action === action) return latest.uses;
  const found = { action, uses: findUses(action) };
  latest = found;
  queueMicrotask(() => {
    if (latest === found) latest = undefined;
  });
  return found.uses;
}

function findUses(action: Action): Uses {
  const named = memoizedNaming();
  const paths = action.paths.map(named);
  // All command lines in an action, including those of other tools.
  const texts = action.command === undefined ? (action.namedCommands ?? []) : [action.command];
  const lines = texts.map((text) => lineUses(action, text, named));
  const classes = classesOf(action);
  const own = classes.filter((each) => each !== 'Bash' || lines.length === 0);
  const isOther = classes.includes('Other');
  const address: readonly Use[] = action.url === undefined ? [] : [{ class: 'WebFetch', url: action.url }];
  const reading = paths.map((path): Use => ({ class: 'Read', path, isGuess: !isOther }));
  return {
    needed: [
      ...own.flatMap((each) => usesOfClass(each, paths, action.url)),
      ...lines.map(({ use }) => use),
      ...(isOther || own.includes('WebFetch') ? [] : address),
    ],
    // An unknown tool may do anything with its paths.
    changes: once(() => [
      ...lines.flatMap((line) => line.changes()),
      ...(isOther ? [...paths.map((path): Use => ({ class: 'Edit', path })), ...address] : []),
    ]),
    reads: once(() => [
      ...lines.flatMap((line) => line.reads()),
      ...(isOther || action.command !== undefined ? reading : []),
    ]),
    inside: () => lines.flatMap((line) => line.inside()),
    unclearFiles: () => lines.map((line) => line.unclearFiles()).find((unclear) => unclear !== undefined),
  };
}

/**
 * The classes by kind, and by name if that differs. The kind is not reliable for the tool of an MCP server, nor for a shell call without a
 * command, whose actual effect must be allowed in addition.
 */
function classesOf({ kind, tool, command }: Action): readonly ToolClass[] {
  const byKind = toolClass(kind) ?? 'Other';
  const byName = tool === undefined ? undefined : toolClass(tool);
  const said = [...new Set(byName === undefined ? [byKind] : byKind === 'Other' ? [byName] : [byKind, byName])];
  const isUnsaid = isServerTool(tool) || (command === undefined && said.includes('Bash'));
  return isUnsaid && !said.includes('Other') ? [...said, 'Other'] : said;
}

function usesOfClass(each: ToolClass, paths: readonly NamedPath[], url: string | undefined): readonly Use[] {
  if (each === 'WebFetch') return [{ class: each, ...(url !== undefined && { url }) }];
  const hasPaths = each === 'Read' || each === 'Search' || each === 'Edit' || each === 'Delete' || each === 'Move';
  return hasPaths && paths.length > 0 ? paths.map((path) => ({ class: each, path })) : [{ class: each }];
}

/** The effects of one command line. */
interface LineUses extends Omit<Uses, 'needed'> {
  readonly use: Use;
}

function lineUses(action: Action, text: string, named: typeof namedPath): LineUses {
  const line = shellLine(text, action.shell);
  const start = action.cwd ?? action.roots[0];
  const { folders, ...files } = lineFiles(line, { start, named });
  const isAway = start !== undefined && !action.roots.some((root) => realPath(root) === realPath(start));
  const command: CommandUse = {
    line,
    folders,
    texts: once(() => commandTexts(line)),
    ...(isAway && { startsIn: [start, relative(action.roots[0] ?? '/', start)] }),
  };
  return { use: { class: 'Bash', command }, ...files };
}
