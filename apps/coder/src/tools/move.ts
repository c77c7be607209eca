import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import type { HeldFolder } from '@turnwire/machine';
import { isInside } from '@turnwire/machine';
import { fileFailure } from '../workspace/file-failure.ts';
import { holdFolder } from '../workspace/held.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { nameLimit, namesBelow } from './list-tree.ts';
import { isSameUnderOtherName, moveEntry } from '../workspace/move-entry.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from '../tool-error.ts';

const input = () =>
  z.strictObject({
    from: z.string().min(1),
    to: z.string().min(1),
  });

/** The source and the target of a move. */
interface Move {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/** Moves or renames a file or folder. */
export const moveTool: Tool = defineTool({
  name: 'move',
  kind: 'move',
  description:
    'Move or rename a file, a folder or a symbolic link itself. Missing folders are made; nothing is overwritten.',
  effect: 'changes',
  input,
  async prepare(request, context) {
    const { workspace } = context;
    const move = { from: await workspace.locateEntry(request.from), to: await workspace.locateEntry(request.to) };
    const { from, to } = move;
    if (workspace.roots.some((root) => isInside(from.real, root)))
      throw new ToolError(`${from.shown} is the workspace itself or holds it, and is not moved.`);
    if (!(await exists(from))) throw new ToolError(`There is no file or folder ${from.shown}.`);
    await refuseExisting(move);
    if (isInside(from.real, to.real))
      throw new ToolError(`${to.shown} is inside ${from.shown}, which cannot be moved into itself.`);
    return {
      title: `Move ${from.shown} to ${to.shown}`,
      locations: [{ path: from.real }, { path: to.real }],
      facts: { paths: [from.real, to.real, ...(await pathsWithin(from))] },
      run: () => moveIt(move, context),
    };
  },
});

/** Rules can be about any path in a folder. */
async function pathsWithin({ real, shown }: WorkspacePath): Promise<readonly string[]> {
  if (!(await lstat(real)).isDirectory()) return [];
  const names = await namesBelow(real);
  if (names !== undefined) return names;
  throw new ToolError(
    `${shown} holds more than ${nameLimit} files and folders, too many to check whether all of them may be moved. Nothing was moved; move parts of it, or run a command.`,
  );
}

async function moveIt(move: Move, { turnFiles }: ToolContext): Promise<ToolResult> {
  const { from, to } = move;
  await refuseExisting(move);
  await using source = await folderOf(from);
  const unkept = (await turnFiles.recordPath(from.real)) ?? (await turnFiles.recordPath(to.real));
  // Created if missing.
  await using found = await folderOf(to);
  const target = found.real === source.real ? source : found;
  const way = [source.entry(basename(from.real)), target.entry(basename(to.real))] as const;
  await moveEntry(...way).catch(explain(move));
  return {
    text: `Moved ${from.shown} to ${to.shown}.${unkept === undefined ? '' : ` /undo will not move it back: ${unkept}.`}`,
  };
}

/** Pins both folders during the move: a folder that was replaced by a link after the user's consent is not followed. */
async function folderOf({ real, shown }: WorkspacePath): Promise<HeldFolder> {
  try {
    return await holdFolder(dirname(real));
  } catch (error) {
    throw fileFailure(error, shown, 'reached');
  }
}

async function refuseExisting({ from, to }: Move): Promise<void> {
  if (from.real === to.real) throw new ToolError(`${from.shown} is there already; nothing was moved.`);
  if ((await exists(to)) && !(await isSameUnderOtherName(from.real, to.real))) throw alreadyThere(to);
}

function alreadyThere({ shown }: WorkspacePath): ToolError {
  return new ToolError(`${shown} exists already; nothing was moved. Delete it first or choose another name.`);
}

async function exists({ real }: WorkspacePath): Promise<boolean> {
  return (await lstat(real).catch(() => undefined)) !== undefined;
}

function explain({ from, to }: Move): (error: unknown) => Promise<never> {
  return async (error) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTEMPTY') throw alreadyThere(to);
    if (!(await exists(from))) throw new ToolError(`${from.shown} was removed in the meantime; nothing was moved.`);
    if (await exists(to))
      throw new ToolError(
        `${from.shown} was copied to ${to.shown}, on another device, but could not be removed (${code}). Both exist now; the first may be incomplete.`,
      );
    throw error;
  };
}
