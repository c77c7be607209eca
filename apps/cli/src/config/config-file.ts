import { readOwnFile, readProjectFile } from '@turnwire/machine';
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { z } from 'zod';
import { nearest } from '../nearest.ts';
import type { Config } from './config.ts';

/** A parsed configuration file. */
export interface ConfigFile {
  readonly path: string;
  readonly config: Config;
  /** Messages about entries that are left out. */
  readonly warnings: readonly string[];
}

/** A configuration file that cannot be used at all. */
export class BrokenConfig extends Error {
  override readonly name = 'BrokenConfig';
}

/** The location of a configuration file. */
export interface ConfigLocation {
  readonly path: string;
  /** The project folder of the file. Undefined for the user's own file. */
  readonly project?: string | undefined;
}

/** Reads a JSON file with optional comments. Resolves with undefined if it does not exist. Rejects with BrokenConfig, which names the line. */
export async function readConfigFile(location: ConfigLocation): Promise<ConfigFile | undefined> {
  const text = configText(location);
  return text === undefined ? undefined : parseConfig(location.path, text);
}

/** Reads the text of a file; undefined if it does not exist. Throws BrokenConfig if it cannot be read. */
export function configText({ path, project }: ConfigLocation): string | undefined {
  try {
    return project === undefined ? readOwnFile(path) : readProjectFile(path, { project });
  } catch (error) {
    throw new BrokenConfig(`the configuration ${(error as Error).message.replace(/\.$/, '')}`);
  }
}

async function parseConfig(path: string, text: string): Promise<ConfigFile> {
  const errors: ParseError[] = [];
  const root = treeOf(path, text, errors);
  const [first] = errors;
  if (first) throw new BrokenConfig(`${at(path, text, first.offset)}: ${printParseErrorCode(first.error)}`);
  if (root?.type !== 'object') throw new BrokenConfig(`${at(path, text, 0)}: the configuration is not an object`);
  // Load the large library only when a file has to be checked.
  const { configShape } = await import('./config-shape.ts');
  const config: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const { children } of root.children ?? []) {
    const [key, value] = children as [Node, Node];
    const name = String(key.value);
    if (name === '$schema') continue;
    if (!Object.hasOwn(configShape, name))
      warnings.push(`${at(path, text, key.offset)}: ${unknownSetting(name, Object.keys(configShape))}`);
    else {
      const { data, error } = configShape[name as keyof Config].safeParse(getNodeValue(value));
      if (error) throw new BrokenConfig(wrongSetting({ path, text, name, value }, error));
      config[name] = data;
    }
  }
  return { path, config, warnings };
}

function treeOf(path: string, text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    throw new BrokenConfig(`${path}: it is nested too deeply`);
  }
}

function unknownSetting(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const hint = /^(?:allow|ask|den|disallow|rules)/i.test(name)
    ? ', and has no effect on permissions: write rules to permissions.json in the same folder'
    : meant === undefined
      ? ''
      : `. Did you mean "${meant}"?`;
  return `there is no setting "${name}"; it is left out${hint}`;
}

function wrongSetting(
  {
    path,
    text,
    name,
    value,
  }: { readonly path: string; readonly text: string; readonly name: string; readonly value: Node },
  { issues: [issue] }: z.ZodError,
): string {
  const steps = (issue?.path ?? []) as (string | number)[];
  const location = at(path, text, (findNodeAtLocation(value, steps) ?? value).offset);
  const hint =
    name === 'permissions' && value.type === 'object' ? '. Write rules to permissions.json in the same folder' : '';
  return `${location}: "${[name, ...steps].join('.')}" must be ${issue?.message}${hint}`;
}

function at(path: string, text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
