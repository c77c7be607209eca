import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { FileEngine } from '../search/file-engine.ts';
import { withFallback } from '../search/with-fallback.ts';
import { spelledOut, within } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { HiddenFiles } from './hidden-files.ts';
import { shownPath } from './shown-path.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from './tool-error.ts';
import { UnreadFiles } from './unread-files.ts';

const fileLimit = 1000;

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('Folder to list, absolute or relative to the working directory. Default: the working directory'),
  pattern: z
    .string()
    .min(1)
    .optional()
    .describe('Only files that fit this glob, relative to the folder: *.ts fits at any depth, src/**/*.ts below src'),
  offset: z.int().min(0).optional().describe('Files to skip, for the rest of a list that was cut. Default 0'),
});

type ListInput = z.infer<typeof input>;

/** Lists the files of a folder and the folders within. */
export const listTool: Tool = defineTool({
  name: 'list',
  kind: 'read',
  description: `List the files in a folder and below, without those .gitignore excludes and without symbolic links; one path a line, at most ${fileLimit}.`,
  effect: 'looks',
  input,
  async prepare(list, context) {
    const folder = await context.workspace.locate(list.path ?? '.');
    return {
      title: list.pattern === undefined ? `List files${within(folder)}` : `List ${list.pattern}${within(folder)}`,
      locations: [{ path: folder.real }],
      facts: { paths: [folder.real] },
      run: () => listFiles(list, folder, context),
    };
  },
});

async function listFiles(
  { pattern, offset = 0 }: ListInput,
  folder: WorkspacePath,
  { workspace, permissions, signal }: ToolContext,
): Promise<ToolResult> {
  await requireFolder(folder);
  const unread = new UnreadFiles();
  const globs = pattern === undefined ? [] : [pattern];
  const { found, remark } = await withFallback(async (engine) => {
    unread.clear();
    const hidden = new HiddenFiles(permissions, 'read');
    const look = { folder: folder.real, globs, signal, tell: unread.tell };
    const paths = await take(engine.files(look), {
      admits: (path) => !hidden.hides(join(folder.real, path)),
      most: offset + fileLimit + 1,
    });
    return { paths, remarks: hidden.remarks };
  });
  const paths = found.paths.slice(offset, offset + fileLimit).map((path) => workspace.show(join(folder.real, path)));
  const isCut = found.paths.length > offset + fileLimit;
  const cut = isCut ? [`Cut here: more than ${fileLimit} files. For the next ones: offset ${offset + fileLimit}.`] : [];
  const remarks = [...cut, ...found.remarks, ...unread.remarks, ...(remark ? [remark] : [])];
  const none = `No ${offset > 0 ? 'more ' : ''}files${pattern === undefined ? '' : ` that fit ${pattern}`}${within(folder)}.`;
  return { text: [...(paths.length === 0 ? [none] : paths.map(shownPath)), ...remarks.map(bracketed)].join('\n') };
}

async function take(
  files: ReturnType<FileEngine['files']>,
  { admits, most }: { readonly admits: (path: string) => boolean; readonly most: number },
): Promise<readonly string[]> {
  const taken: string[] = [];
  for await (const path of files) {
    if (admits(path)) taken.push(path);
    if (taken.length === most) break;
  }
  return taken;
}

function bracketed(remark: string): string {
  return `[${remark}]`;
}

async function requireFolder(folder: WorkspacePath): Promise<void> {
  const found = await stat(folder.real).catch(() => undefined);
  if (found === undefined) throw new ToolError(`There is no folder ${spelledOut(folder)}.`);
  if (!found.isDirectory()) throw new ToolError(`${folder.shown} is not a folder.`);
}
