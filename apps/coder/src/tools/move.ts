import { copyFile, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { defineTool } from './tool.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

const input = z.strictObject({
  from: z.string().min(1).describe('File or folder to move, absolute or relative to the working directory'),
  to: z.string().min(1).describe('Its new path. Must not exist yet'),
});

/** Moves or renames a file or folder. */
export const moveTool: Tool = defineTool({
  name: 'move',
  kind: 'move',
  description: 'Move or rename a file or folder. Missing folders are made; nothing is ever overwritten.',
  effect: 'changes',
  input,
  async prepare(move, { workspace, checkpoints }) {
    const from = await workspace.locateEntry(move.from);
    const to = await workspace.locateEntry(move.to);
    if (workspace.isRoot(from.real)) throw new ToolError(`${from.shown} is the workspace itself, which is not moved.`);
    if (!(await exists(from))) throw new ToolError(`There is no file or folder ${from.shown}.`);
    await refuseExisting(to);
    return {
      title: `Move ${from.shown} to ${to.shown}`,
      locations: [{ path: from.real }, { path: to.real }],
      facts: { paths: [from.real, to.real] },
      run: async () => {
        await refuseExisting(to);
        await checkpoints.note(from.real);
        await checkpoints.note(to.real);
        await mkdir(dirname(to.real), { recursive: true });
        await rename(from.real, to.real).catch(copyAcrossDevices(from, to));
        return { text: `Moved ${from.shown} to ${to.shown}.` };
      },
    };
  },
});

async function refuseExisting(to: WorkspacePath): Promise<void> {
  if (await exists(to))
    throw new ToolError(`${to.shown} exists already; nothing was moved. Delete it first or choose another name.`);
}

async function exists({ real }: WorkspacePath): Promise<boolean> {
  return (await lstat(real).catch(() => undefined)) !== undefined;
}

function copyAcrossDevices(from: WorkspacePath, to: WorkspacePath): (error: NodeJS.ErrnoException) => Promise<void> {
  return async (error) => {
    if (error.code !== 'EXDEV') throw error;
    await copyFile(from.real, to.real, constants.COPYFILE_EXCL);
    await unlink(from.real);
  };
}
