import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, withoutInstalled } from '@turnwire/machine';
import { z } from 'zod';
import { spelledOut, within } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { HiddenFiles } from './hidden-files.ts';
import { shownPath } from './shown-path.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from '../tool-error.ts';
import { UnreadFiles } from './unread-files.ts';

const fileLimit = 1000;

const input = () =>
  z.strictObject({
    path: z.string().min(1).optional().describe('Default: the working directory'),
    pattern: z
      .string()
      .min(1)
      .optional()
      .describe('Glob relative to the folder: *.ts fits at any depth, src/**/*.ts below src'),
    offset: z.int().min(0).optional().describe('Files to skip, for the rest of a list that was cut'),
  });

/** Lists the files of a folder and its subfolders. */
export const listTool: Tool = defineTool({
  name: 'list',
  kind: 'read',
  description: `List the files below a folder, without symbolic links, what .gitignore excludes, and node_modules and the like unless it is one of them; one path a line, at most ${fileLimit}.`,
  effect: 'looks',
  input,
  async prepare(list, context) {
    const folder = await context.workspace.locateToRead(list.path ?? '.');
    return {
      title: list.pattern === undefined ? `List files${within(folder)}` : `List ${list.pattern}${within(folder)}`,
      locations: [{ path: folder.real }],
      facts: { paths: [folder.real] },
      run: () => filesOf(list, folder, context),
    };
  },
});

async function filesOf(
  { pattern, offset = 0 }: z.infer<ReturnType<typeof input>>,
  folder: WorkspacePath,
  { workspace, permissions, signal }: ToolContext,
): Promise<ToolResult> {
  await requireFolder(folder);
  const unread = new UnreadFiles();
  const hidden = new HiddenFiles(permissions, 'read');
  const globs = [...withoutInstalled, ...(pattern === undefined ? [] : [pattern])];
  const found: string[] = [];
  for await (const path of listFiles({ folder: folder.real, globs, signal, report: unread.report })) {
    if (!hidden.hides(join(folder.real, path))) found.push(path);
    if (found.length > offset + fileLimit) break;
  }
  const paths = found.slice(offset, offset + fileLimit).map((path) => workspace.show(join(folder.real, path)));
  const isCut = found.length > offset + fileLimit;
  const cut = isCut ? [`Cut here: more than ${fileLimit} files. For the next ones: offset ${offset + fileLimit}.`] : [];
  const notes = [...cut, ...hidden.notes, ...unread.notes];
  const none = `No ${offset > 0 ? 'more ' : ''}files${pattern === undefined ? '' : ` that fit ${pattern}`}${within(folder)}.`;
  return { text: [...(paths.length === 0 ? [none] : paths.map(shownPath)), ...notes.map(bracketed)].join('\n') };
}

function bracketed(note: string): string {
  return `[${note}]`;
}

async function requireFolder(folder: WorkspacePath): Promise<void> {
  const found = await stat(folder.real).catch(() => undefined);
  if (found === undefined) throw new ToolError(`There is no folder ${spelledOut(folder)}.`);
  if (!found.isDirectory()) throw new ToolError(`${folder.shown} is not a folder.`);
}
