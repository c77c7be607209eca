import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestPermissionRequest, ToolCallUpdate } from '@turnwire/protocol';
import { goesUp, realPath } from '@turnwire/machine';
import { fieldsOf, folderKeys, type InputFields, namedCommands, plain, shellInput } from './command-input.ts';
import { type Patch, patchOf } from './patch.ts';
import type { Action } from './permissions.ts';
import { isServerTool, isShellTool } from './tool-name.ts';

/** Keys under which agents give paths, in lower case and without `_`. */
const pathKeys: ReadonlySet<string> = new Set([
  ...['path', 'filepath', 'abspath', 'absolutepath', 'relativepath', 'notebookpath', 'oldpath', 'newpath', 'dirpath'],
  ...['paths', 'filepaths', 'files', 'file', 'filename', 'directory', 'folder', 'source', 'destination', 'from', 'to'],
  ...['targetfile', 'targetpath', 'relativeworkspacepath'],
]);
const urlKeys: ReadonlySet<string> = new Set(['url', 'uri', 'urls', 'uris']);

/** What a permission request is about, from its facts: kind, name, input, places and diffs; never from its title. */
export function actionOf(
  { toolCall, sessionId }: Pick<RequestPermissionRequest, 'toolCall' | 'sessionId'>,
  roots: readonly string[],
): Action {
  const patch = patchOf(toolCall);
  const kind = kindOf(toolCall, patch);
  const input = fieldsOf(toolCall.rawInput) ?? {};
  const folders = absolutePaths(textsUnder(input, folderKeys), roots.slice(0, 1));
  const { unclear: doubt, ...runs } = runsOf(kind, toolCall, folders.found[0] ?? roots[0]);
  const { url, ...addresses } = addressesIn(input);
  const given = runs.command === undefined ? [...pathsIn(input), ...addresses.paths] : [];
  // A search that names nothing else is one of its folder.
  const isOfFolder = kind === 'search' && given.length === 0;
  const paths = absolutePaths(
    [...(isOfFolder ? folders.found : given), ...placesOf(toolCall, patch)],
    [...new Set([...folders.found, ...roots.slice(0, 1)])],
  );
  const several =
    runs.command !== undefined && folders.found.length > 1 ? 'the agent names several folders' : undefined;
  const warnings = [several, addresses.warning, folders.warning, paths.warning, doubt];
  const unclear =
    warnings.find((warning) => warning !== undefined) ?? missing(kind, { command: runs.command, paths: paths.found });
  return {
    sessionId,
    roots,
    kind,
    ...(typeof toolCall.name === 'string' && { tool: toolCall.name }),
    ...runs,
    paths: paths.found,
    ...(url !== undefined && { url }),
    ...(unclear !== undefined && { unclear }),
    toolCallId: toolCall.toolCallId,
    source: 'request',
  };
}

/** The command of a shell's call; of any other tool, the command lines its input names. */
function runsOf(
  kind: string,
  { name, rawInput }: ToolCallUpdate,
  folder: string | undefined,
): Pick<Action, 'command' | 'namedCommands' | 'cwd' | 'unclear'> {
  const cwd = folder === undefined ? {} : { cwd: folder };
  if (kind !== 'execute' || isServerTool(name)) {
    const lines = namedCommands(rawInput);
    return lines.length === 0 ? {} : { namedCommands: lines, ...cwd };
  }
  const shell = shellInput(rawInput);
  return shell.command === undefined ? shell : { ...shell, ...cwd };
}

/**
 * The kind an agent gives, unless what it shows says otherwise: a diff or a patch is a change of files, whatever else the call does.
 * Where it gives none, the name of a shell says that this is one.
 */
function kindOf({ kind, name, content }: ToolCallUpdate, patch: Patch | undefined): string {
  const given = kind ?? 'other';
  if (patch && given === 'other') return patch.kind;
  if (/^(?:edit|delete|move)$/.test(given)) return given;
  if (content?.some(({ type }) => type === 'diff')) return 'edit';
  return given === 'other' && typeof name === 'string' && isShellTool(name) ? 'execute' : given;
}

/** Why it cannot be told what is touched, where it ought to be. */
function missing(
  kind: string,
  facts: { readonly command: string | undefined; readonly paths: readonly string[] },
): string | undefined {
  if (kind === 'execute' && facts.command === undefined) return 'the agent does not say which command';
  if (/^(?:edit|delete|move)$/.test(kind) && facts.paths.length === 0) return 'the agent does not say which file';
  return undefined;
}

/** The files a call names beside its input. */
function placesOf({ locations, content }: ToolCallUpdate, patch: Patch | undefined): readonly string[] {
  const diffs = (content ?? []).flatMap((each) => (each.type === 'diff' ? [each.path] : []));
  return [...(patch?.paths ?? []), ...(locations ?? []).map(({ path }) => path), ...diffs];
}

interface Paths {
  readonly found: readonly string[];
  readonly warning?: string | undefined;
}

/** A relative path may start in any of the folders, and then means one in each. */
function absolutePaths(given: readonly string[], folders: readonly string[]): Paths {
  const found = new Set<string>();
  let warning: string | undefined;
  for (const path of given) {
    const whole = path.startsWith('~/') ? homedir() + path.slice(1) : path;
    const absolute = isAbsolute(whole) ? [whole] : folders.map((folder) => `${folder}/${whole}`);
    if (path.includes('\0')) warning = 'a path holds a NUL character';
    else if (absolute.length === 0) warning = 'a path is relative, and nothing says to what';
    else for (const each of absolute) found.add(resolve(each));
    if (absolute.some((each) => goesUp(each) && realPath(each) === undefined))
      warning = 'a path goes up from where a link leads';
  }
  return { found: [...found], warning };
}

/** Paths, also those in lists of objects: `{"files": [{"path": …}]}`. */
function pathsIn(input: InputFields): readonly string[] {
  const objects = valuesUnder(input, pathKeys).flatMap((value) => (Array.isArray(value) ? value : [value]));
  const inner = objects.flatMap((each) => textsUnder(fieldsOf(each) ?? {}, pathKeys));
  return [...textsUnder(input, pathKeys), ...inner];
}

/** The one address; one of a file on this machine is a path. */
function addressesIn(input: InputFields): { url?: string; paths: readonly string[]; warning?: string } {
  const all = [...new Set(textsUnder(input, urlKeys))];
  const [url, another] = all.filter((address) => filePath(address) === undefined);
  return {
    ...(url !== undefined && { url }),
    paths: all.map(filePath).filter((path) => path !== undefined),
    ...(another !== undefined && { warning: 'the agent names several addresses' }),
  };
}

function filePath(address: string): string | undefined {
  try {
    return /^file:/i.test(address) ? fileURLToPath(address) : undefined;
  } catch {
    return undefined;
  }
}

function textsUnder(input: InputFields, wanted: ReadonlySet<string>): readonly string[] {
  return valuesUnder(input, wanted)
    .flat()
    .filter((value): value is string => typeof value === 'string' && value !== '');
}

function valuesUnder(input: InputFields, wanted: ReadonlySet<string>): readonly unknown[] {
  return Object.entries(input).flatMap(([key, value]) => (wanted.has(plain(key)) ? [value] : []));
}
