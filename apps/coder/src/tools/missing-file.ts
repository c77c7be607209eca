import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { ToolError } from '../tool-error.ts';

const mostNames = 3;

/** The error for a missing file, with existing names in the folder that differ in case or extension. */
export async function missingFile({ real, shown }: WorkspacePath): Promise<ToolError> {
  const names = await readdir(dirname(real)).catch(() => []);
  const like = names.filter((name) => stem(name) === stem(basename(real))).slice(0, mostNames);
  const hint = like.length === 0 ? '' : ` There is ${like.map((name) => join(dirname(shown), name)).join(', ')}.`;
  return new ToolError(`There is no file ${shown}.${hint}`);
}

function stem(name: string): string {
  return parse(name.toLowerCase()).name;
}
