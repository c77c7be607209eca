import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import type { RequestPermissionRequest, ToolCallUpdate } from '@turnwire/protocol';
import { joinedLines } from './joined-lines.ts';
import { type Patch, patchOf } from './patch.ts';
import type { Action } from './permissions.ts';
import { goesUp, realPath } from './real-path.ts';
import { quoted } from './shell-word.ts';

/** Keys under which agents give a command line, and a list of words. */
const commandKeys = ['command', 'cmd', 'script', 'argv', 'commandLine', 'command_line'];
/** Keys under which agents give paths. */
const pathKeys = [
  ...[
    'file_path',
    'filePath',
    'filepath',
    'path',
    'abs_path',
    'absolute_path',
    'absolutePath',
    'filename',
    'fileName',
    'file',
    'notebook_path',
  ],
  ...[
    'paths',
    'files',
    'dir_path',
    'directory',
    'source',
    'destination',
    'old_path',
    'new_path',
    'oldPath',
    'newPath',
    'from',
    'to',
  ],
];
const urlKeys = ['url', 'uri', 'urls'];
const folderKeys = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'dir_path', 'directory'];

/** What a permission request is about, from its facts: kind, name, input, places and diffs; never from its title. */
export function actionOf(
  { toolCall, sessionId }: Pick<RequestPermissionRequest, 'toolCall' | 'sessionId'>,
  roots: readonly string[],
): Action {
  const facts = new Facts(toolCall.rawInput);
  const patch = patchOf(toolCall);
  const kind = kindOf(toolCall, patch);
  const command = facts.command(kind === 'execute');
  const cwd = command === undefined ? undefined : facts.folder(roots[0]);
  const given = [...(command === undefined ? facts.paths() : []), ...placesOf(toolCall, patch)];
  const url = facts.only(urlKeys, 'addresses');
  const paths = pathsFrom(given, cwd ?? roots[0]);
  const unclear = facts.trouble ?? paths.trouble ?? missing(kind, { command, url, paths: paths.found });
  return {
    sessionId,
    roots,
    kind,
    ...(typeof toolCall.name === 'string' && { tool: toolCall.name }),
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    paths: paths.found,
    ...(url !== undefined && { url }),
    ...(unclear !== undefined && { unclear }),
    toolCallId: toolCall.toolCallId,
    source: 'request',
  };
}

/** The kind an agent gives, unless the diff or the patch it gives says otherwise. */
function kindOf({ kind, content }: ToolCallUpdate, patch: Patch | undefined): string {
  const given = kind ?? 'other';
  if (patch && given === 'other') return patch.kind;
  const changes = (content ?? []).some(({ type }) => type === 'diff');
  return changes && !/^(?:edit|delete|move|execute)$/.test(given) ? 'edit' : given;
}

/** Why it cannot be told what is touched, where it ought to be. */
function missing(
  kind: string,
  facts: { command: string | undefined; url: string | undefined; paths: readonly string[] },
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

function pathsFrom(
  given: readonly string[],
  folder: string | undefined,
): { readonly found: readonly string[]; readonly trouble?: string } {
  const found = new Set<string>();
  let trouble: string | undefined;
  for (const path of given) {
    const whole = path.startsWith('~/') ? homedir() + path.slice(1) : path;
    const absolute = isAbsolute(whole) ? whole : folder === undefined ? undefined : `${folder}/${whole}`;
    if (path.includes('\0')) trouble = 'a path holds a NUL character';
    else if (absolute === undefined) trouble = 'a path is relative, and nothing says to what';
    else found.add(resolve(absolute));
    if (absolute !== undefined && goesUp(absolute) && realPath(absolute) === undefined)
      trouble = 'a path goes up from where a link leads';
  }
  return { found: [...found], ...(trouble !== undefined && { trouble }) };
}

/** What is in an agent's `rawInput`, of which nothing is certain. */
class Facts {
  readonly #input: Readonly<Record<string, unknown>>;
  trouble: string | undefined;

  constructor(rawInput: unknown) {
    this.#input = typeof rawInput === 'object' && rawInput !== null ? (rawInput as Record<string, unknown>) : {};
  }

  /** The command line. Words that come apart are one line again, quoted. */
  command(isCertain: boolean): string | undefined {
    const found = [...new Set(commandKeys.flatMap((key) => this.#command(key, isCertain)))];
    // Beside the command it is the same once more, or its parts.
    const listed = (isCertain ? this.texts(['commands']) : []).filter(
      (line) => !found.some((command) => command.includes(line)),
    );
    if (found.length > 1 || (found.length > 0 && listed.length > 0)) this.trouble = 'the agent names several commands';
    if (found.length > 0) return [...found, ...listed].join('\n');
    const joined = joinedLines(listed);
    this.trouble ??= joined?.trouble;
    return joined?.text;
  }

  #command(key: string, isCertain: boolean): readonly string[] {
    const value = this.#input[key];
    if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
      return [value.map(quoted).join(' ')];
    if (typeof value !== 'string' || value === '') return [];
    // Editors of files have verbs: {"command": "str_replace", "path": …} is no command line.
    if (!isCertain && /^(?:view|create|str_replace|insert|undo_edit)$/.test(value)) return [];
    const words = this.#input['args'];
    const isProgram = Array.isArray(words) && words.length > 0 && words.every((each) => typeof each === 'string');
    return [isProgram ? [value, ...words].map(quoted).join(' ') : value];
  }

  folder(first: string | undefined): string | undefined {
    const [folder] = this.texts(folderKeys);
    if (folder === undefined) return first;
    return first === undefined ? (isAbsolute(folder) ? folder : undefined) : resolve(first, folder);
  }

  /** The one value under any of these keys. */
  only(keys: readonly string[], what: string): string | undefined {
    const found = new Set(this.texts(keys));
    if (found.size > 1) this.trouble = `the agent names several ${what}`;
    return [...found][0];
  }

  /** Paths, also those in lists of objects: `{"files": [{"path": …}]}`. */
  paths(): readonly string[] {
    const objects = pathKeys.flatMap((key) => {
      const value = this.#input[key];
      return Array.isArray(value) ? value.filter((each) => typeof each === 'object') : [];
    });
    return [...this.texts(pathKeys), ...objects.flatMap((each) => new Facts(each).texts(pathKeys))];
  }

  texts(keys: readonly string[]): readonly string[] {
    return keys.flatMap((key) => {
      const value = this.#input[key];
      if (typeof value === 'string') return value === '' ? [] : [value];
      return Array.isArray(value)
        ? value.filter((each): each is string => typeof each === 'string' && each !== '')
        : [];
    });
  }
}
