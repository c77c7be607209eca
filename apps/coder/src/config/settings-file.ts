import { readOwnFile, readProjectFile, UnreadableFile } from '@turnwire/machine';
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { z } from 'zod';
import type { ProjectFile, UserFile } from './settings-file-shapes.ts';
import { withoutParts, wrongParts } from './wrong-parts.ts';
import type { WrongPart } from './wrong-parts.ts';

/** A parsed settings file. */
export interface ReadSettings<Value> {
  /** Its valid settings. */
  readonly value: Value;
  /** Its errors, each as one sentence with file and line. */
  readonly warnings: readonly string[];
}

interface SettingsText {
  readonly path: string;
  readonly text: string;
}

/** Where a settings file is. */
export interface SettingsLocation {
  readonly path: string;
  /** The folder of the project that the file belongs to. Undefined: the user's own file. */
  readonly project?: string;
}

/** Reads a settings file: JSON with comments. Invalid parts are left out with a warning; a missing file has no settings. */
export function readSettingsFile(kind: 'user', location: SettingsLocation): Promise<ReadSettings<UserFile>>;
export function readSettingsFile(kind: 'project', location: SettingsLocation): Promise<ReadSettings<ProjectFile>>;
export async function readSettingsFile(
  kind: 'user' | 'project',
  { path, project }: SettingsLocation,
): Promise<ReadSettings<UserFile>> {
  try {
    const text = project === undefined ? readOwnFile(path) : readProjectFile(path, { project });
    if (text === undefined) return { value: {}, warnings: [] };
    return await parseSettings(kind, { path, text: text.replace(/^\uFEFF/u, ' ') });
  } catch (error) {
    if (error instanceof UnreadableFile) return { value: {}, warnings: [error.message] };
    return broken(`${path}: it is nested too deeply.`);
  }
}

async function parseSettings(kind: 'user' | 'project', file: SettingsText): Promise<ReadSettings<UserFile>> {
  const errors: ParseError[] = [];
  const root = parseTree(file.text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first)
    return broken(`${locationOf(file, first.offset)}: not JSON from here on (${printParseErrorCode(first.error)}).`);
  if (root?.type !== 'object') return broken(`${locationOf(file, 0)}: expected an object with settings.`);
  return checked(kind, file, root);
}

function broken(warning: string): ReadSettings<UserFile> {
  return { value: {}, warnings: [`${warning} The whole file is ignored until it is repaired.`] };
}

/** Each setting and each part of one is checked by itself: an invalid one does not affect the others. */
async function checked(kind: 'user' | 'project', file: SettingsText, root: Node): Promise<ReadSettings<UserFile>> {
  // Most sessions have no such file, and the schema library is large.
  const { projectShape, userShape } = await import('./settings-file-shapes.ts');
  const shape: Readonly<Record<string, z.ZodType>> = kind === 'user' ? userShape : projectShape;
  const warnings: string[] = [];
  const value: Record<string, unknown> = {};
  for (const { children: [key, node] = [] } of root.children ?? []) {
    if (!key || !node) continue;
    const name = String(key.value);
    const setting = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!setting) warnings.push(unknownSetting(file, key, Object.hasOwn(userShape, name)));
    else {
      const { error } = setting.safeParse(getNodeValue(node));
      const parts = wrongParts(error?.issues ?? []);
      warnings.push(...parts.map((part) => wrongPart(file, { name, node, part })));
      const rest = withoutParts(
        getNodeValue(node),
        parts.map(({ path }) => path),
      );
      if (rest !== undefined) value[name] = rest;
    }
  }
  return { value, warnings };
}

function wrongPart(
  file: SettingsText,
  { name, node, part }: { readonly name: string; readonly node: Node; readonly part: WrongPart },
): string {
  const path = part.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const at = findNodeAtLocation(node, path) ?? node;
  return `${locationOf(file, at.offset)}: "${[name, ...path].join('.')}" is left out: ${part.message}.`;
}

/** @param isForUsers whether it is a setting of a user, in the file of a project */
function unknownSetting(file: SettingsText, key: Node, isForUsers: boolean): string {
  const name = String(key.value);
  const location = locationOf(file, key.offset);
  if (/^(?:allow|ask|den|disallow|permission|rules)/i.test(name))
    return `${location}: there is no setting "${name}"; it is left out, and forbids nothing. Rules belong in permissions.json in the same folder.`;
  return isForUsers
    ? `${location}: a project cannot set "${name}"; it is left out. Set it in your own coder.json.`
    : `${location}: there is no setting "${name}"; it is left out.`;
}

function locationOf({ path, text }: SettingsText, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${path}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}
