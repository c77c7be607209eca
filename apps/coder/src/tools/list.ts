import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ripgrep } from '../process/ripgrep.ts';
import { within } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from './tool-error.ts';

const fileLimit = 1000;

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('Folder to list, absolute or relative to the working directory. Default: the working directory'),
});

/** Lists the files of a folder and the folders within. */
export const listTool: Tool = defineTool({
  name: 'list',
  kind: 'read',
  description: `List the files in a folder and below, without those .gitignore excludes; one path a line, at most ${fileLimit}.`,
  effect: 'looks',
  input,
  async prepare({ path = '.' }, context) {
    const folder = await context.workspace.locate(path);
    return {
      title: `List files${within(folder)}`,
      locations: [{ path: folder.real }],
      facts: { paths: [folder.real] },
      run: () => listFiles(folder, context),
    };
  },
});

async function listFiles(folder: WorkspacePath, { workspace, signal }: ToolContext): Promise<ToolResult> {
  await requireFolder(folder);
  const { lines, cut } = await ripgrep(['--files'], folder.real, { limit: fileLimit, signal });
  if (lines.length === 0) return { text: `No files${within(folder)}.` };
  const paths = lines.map((line) => workspace.show(join(folder.real, line)));
  return {
    text: paths.join('\n') + (cut ? `\n[Cut here: more than ${fileLimit} files. List a folder further down.]` : ''),
  };
}

async function requireFolder({ real, shown }: WorkspacePath): Promise<void> {
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) throw new ToolError(`There is no folder ${shown}.`);
  if (!found.isDirectory()) throw new ToolError(`${shown} is not a folder.`);
}
