import { lstat, unlink } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool } from './tool.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('File to delete, absolute or relative to the working directory'),
});

/** Deletes a file. */
export const deleteTool: Tool = defineTool({
  name: 'delete',
  kind: 'delete',
  description: 'Delete a file. A symbolic link is deleted itself, not what it leads to. Folders are not deleted.',
  effect: 'changes',
  input,
  async prepare({ path }, { workspace, checkpoints }) {
    const file = await workspace.locateEntry(path);
    const found = await lstat(file.real).catch(() => undefined);
    if (found === undefined) throw new ToolError(`There is no file ${file.shown}.`);
    if (found.isDirectory())
      throw new ToolError(`${file.shown} is a folder; only files are deleted. Nothing was deleted.`);
    return {
      title: `Delete ${file.shown}`,
      locations: [{ path: file.real }],
      facts: { paths: [file.real] },
      run: async () => {
        await checkpoints.note(file.real);
        await unlink(file.real);
        return { text: `Deleted ${file.shown}.` };
      },
    };
  },
});
