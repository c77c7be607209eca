import { access, constants, lstat, readFile, rm, unlink } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { ToolCallContent } from '@turnwire/protocol';
import { z } from 'zod';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { isInside } from '@turnwire/machine';
import { listTree, treeLimit } from './list-tree.ts';
import { shownDiff, shownText } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { failureMessage, ToolError } from '../tool-error.ts';
import { shownPath } from './shown-path.ts';

/** Larger files are not shown before they are deleted, in bytes. */
const shownBytes = 64 * 1024;
const shownPaths = 50;

const input = () =>
  z.strictObject({
    path: z.string().min(1),
    recursive: z.boolean().optional(),
  });

/** Deletes a file, a symbolic link as such, or a folder. */
export const deleteTool: Tool = defineTool({
  name: 'delete',
  kind: 'delete',
  description: 'Delete a file or a symbolic link itself, or with recursive a folder and everything in it.',
  effect: 'changes',
  input,
  async prepare({ path, recursive = false }, context) {
    const entry = await context.workspace.locateEntry(path);
    const found = await lstat(entry.real).catch(() => undefined);
    if (found === undefined) throw new ToolError(`There is no file ${entry.shown}.`);
    if (found.isDirectory()) refuseFolder(entry, recursive, context);
    const { content, paths, trait } = await lossOf(entry, found);
    return {
      title: `Delete ${trait}${entry.shown}`,
      locations: [{ path: entry.real }],
      preview: content,
      facts: { paths: [entry.real, ...paths] },
      run: () => deleteIt(entry, found, context),
    };
  },
});

function refuseFolder({ real, shown }: WorkspacePath, recursive: boolean, { workspace }: ToolContext): void {
  if (workspace.roots.some((root) => isInside(real, root)))
    throw new ToolError(`${shown} is the workspace itself or holds it, and is not deleted.`);
  if (!recursive)
    throw new ToolError(
      `${shown} is a folder; it is deleted only with recursive, with everything in it. Nothing was deleted.`,
    );
}

/** The deleted entries, for the user to see and for rules to check. */
interface Loss {
  readonly content: readonly ToolCallContent[];
  /** Absolute paths of everything in it. */
  readonly paths: readonly string[];
  /** An adjective for the title. */
  readonly trait: string;
}

async function lossOf(entry: WorkspacePath, found: Stats): Promise<Loss> {
  if (found.isDirectory()) return folderLoss(entry);
  const trait = found.isSymbolicLink() ? 'link ' : (found.mode & 0o222) === 0 ? 'write-protected ' : '';
  const text = found.isFile() && found.size <= shownBytes ? await textOf(entry.real) : undefined;
  return { content: text === undefined ? [] : [shownDiff(entry.real, text, '')], paths: [], trait };
}

async function folderLoss({ real, shown }: WorkspacePath): Promise<Loss> {
  const tree = await listTree(real);
  if (!tree.isWhole)
    throw new ToolError(
      `${shown} holds more than ${treeLimit} files and folders, too many to be shown before they go. Nothing was deleted; delete parts of it, or run a command.`,
    );
  const head = `Deletes the folder with ${count(tree.files, 'file')} and ${count(tree.paths.length - tree.files, 'folder')} in it, ${tree.bytes} bytes.`;
  const named = tree.paths.slice(0, shownPaths).map((path) => shownPath(relative(real, path)));
  const more = tree.paths.length > shownPaths ? [`… and ${tree.paths.length - shownPaths} more`] : [];
  return { content: [shownText([head, ...named, ...more].join('\n'))], paths: tree.paths, trait: 'folder ' };
}

async function deleteIt(entry: WorkspacePath, shown: Stats, { turnFiles }: ToolContext): Promise<ToolResult> {
  await refuseChanged(entry, shown);
  if (shown.isDirectory()) await refuseLocked(entry);
  const unkept = await turnFiles.recordPath(entry.real);
  await (shown.isDirectory() ? rm(entry.real, { recursive: true }) : unlink(entry.real)).catch(explain(entry));
  return { text: `Deleted ${entry.shown}.${unkept === undefined ? '' : ` /undo cannot bring it back: ${unkept}.`}` };
}

async function refuseChanged({ real, shown }: WorkspacePath, before: Stats): Promise<void> {
  const now = await lstat(real).catch(() => undefined);
  if (now === undefined) throw new ToolError(`${shown} was removed in the meantime; nothing was deleted.`);
  if (now.ino !== before.ino || now.mtimeMs !== before.mtimeMs || now.size !== before.size)
    throw new ToolError(`${shown} changed since it was shown; nothing was deleted. Look at it again.`);
}

/** Detects a folder that cannot be emptied before a part of it is deleted. */
async function refuseLocked({ real, shown }: WorkspacePath): Promise<void> {
  const { folders } = await listTree(real);
  for (const folder of [real, ...folders])
    await access(folder, constants.W_OK | constants.X_OK).catch(() => {
      const inside = folder === real ? '' : `: ${relative(dirname(real), folder)} is write-protected`;
      throw new ToolError(`${shown} cannot be deleted${inside || ', it is write-protected'}. Nothing was deleted.`);
    });
}

function explain({ real, shown }: WorkspacePath): (error: unknown) => Promise<never> {
  return async (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ToolError(`${shown} was removed in the meantime; nothing was deleted.`);
    if ((await lstat(real).catch(() => undefined))?.isDirectory())
      throw new ToolError(`${shown} could be deleted only in part. ${failureMessage(error)}`);
    throw error;
  };
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
