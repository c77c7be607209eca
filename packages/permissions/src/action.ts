import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestPermissionRequest, ToolCallUpdate } from '@turnwire/protocol';
import { goesUp, homeFolder, realPath } from '@turnwire/machine';
import { fieldsOf, folderKeys, type InputFields, namedCommands, plain, shellInput } from './command-input.ts';
import { type Patch, patchOf } from './patch.ts';
import type { Action } from './permissions.ts';
import { isServerTool, isShellTool } from './tool-name.ts';

/** Keys under which agents send paths, in lower case and without `_`. */
const pathKeys: ReadonlySet<string> = new Set([
  ...['path', 'filepath', 'abspath', 'absolutepath', 'relativepath', 'notebookpath', 'oldpath', 'newpath', 'dirpath'],
  ...['paths', 'filepaths', 'files', 'file', 'filename', 'directory', 'folder', 'source', 'destination', 'from', 'to'],
  ...['targetfile', 'targetpath', 'relativeworkspacepath'],
]);
const urlKeys: ReadonlySet<string> = new Set(['url', 'uri', 'urls', 'uris']);

/** The action of a permission request, from its facts: kind, name, input, locations and diffs; never from its title. */
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
  // A search without a path searches its folder.
  const isOfFolder = kind === 'search' && given.length === 0;
  const paths = absolutePaths(
    [...(isOfFolder ? folders.found : given), ...placesOf(toolCall, patch)],
    [...new Set([...folders.found, ...roots.slice(0, 1)])],
  );
  const several = runs.command !== undefined && folders.found.length > 1 ? 'the agent sent several folders' : undefined;
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

/** The command of a shell's call; for other tools, the command lines in its input. */
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
 * The kind sent by the agent, unless its content contradicts it: a diff or a patch changes files, in every call. Without a kind, the name
 * of a shell makes the call a shell call.
 */
export function kindOf(toolCall: ToolCallUpdate, patch: Patch | undefined = patchOf(toolCall)): string {
  const { kind, name, content } = toolCall;
  const given = kind ?? 'other';
  if (patch && given === 'other') return patch.kind;
  if (/^(?:edit|delete|move)$/.test(given)) return given;
  if (content?.some(({ type }) => type === 'diff')) return 'edit';
  return given === 'other' && typeof name === 'string' && isShellTool(name) ? 'execute' : given;
}

/** The reason why the effect is unclear, where it must be known. */
function missing(
  kind: string,
  facts: { readonly command: string | undefined; readonly paths: readonly string[] },
): string | undefined {
  if (kind === 'execute' && facts.command === undefined) return 'the agent did not send the command';
  if (/^(?:edit|delete|move)$/.test(kind) && facts.paths.length === 0)
    return 'the agent did not send the path of the file';
  return undefined;
}

/** The files of a call that are not in its input. */
function placesOf({ locations, content }: ToolCallUpdate, patch: Patch | undefined): readonly string[] {
  const diffs = (content ?? []).flatMap((each) => (each.type === 'diff' ? [each.path] : []));
  return [...(patch?.paths ?? []), ...(locations ?? []).map(({ path }) => path), ...diffs];
}

interface Paths {
  readonly found: readonly string[];
  readonly warning?: string | undefined;
}

/** Resolves paths. A relative path may start in any of the folders, and then becomes one path in each. */
function absolutePaths(given: readonly string[], folders: readonly string[]): Paths {
  const found = new Set<string>();
  let warning: string | undefined;
  for (const path of given) {
    const whole = path.startsWith('~/') ? homeFolder() + path.slice(1) : path;
    const absolute = isAbsolute(whole) ? [whole] : folders.map((folder) => `${folder}/${whole}`);
    if (path.includes('\0')) warning = 'a path contains a NUL character';
    else if (absolute.length === 0) warning = 'a path is relative to an unknown folder';
    else for (const each of absolute) found.add(resolve(each));
    if (absolute.some((each) => goesUp(each) && realPath(each) === undefined))
      warning = 'a path goes up from the target of a link';
  }
  return { found: [...found], warning };
}

/** The paths in an input, including those in lists of objects: `{"files": [{"path": …}]}`. */
function pathsIn(input: InputFields): readonly string[] {
  const objects = valuesUnder(input, pathKeys).flatMap((value) => (Array.isArray(value) ? value : [value]));
  const inner = objects.flatMap((each) => textsUnder(fieldsOf(each) ?? {}, pathKeys));
  return [...textsUnder(input, pathKeys), ...inner];
}

/** The address in an input. `file:` addresses are paths. */
function addressesIn(input: InputFields): { url?: string; paths: readonly string[]; warning?: string } {
  const all = [...new Set(textsUnder(input, urlKeys))];
  const [url, another] = all.filter((address) => filePath(address) === undefined);
  return {
    ...(url !== undefined && { url }),
    paths: all.map(filePath).filter((path) => path !== undefined),
    ...(another !== undefined && { warning: 'the agent sent several addresses' }),
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
