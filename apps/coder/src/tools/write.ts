import { z } from 'zod';
import { shownDiff } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('File to write, absolute or relative to the working directory'),
  content: z.string().describe('The whole content of the file'),
});

/** Creates a file, or replaces all of its content. */
export const writeTool: Tool = defineTool({
  name: 'write',
  kind: 'edit',
  description:
    'Create a text file or replace its whole content. Missing folders are made. To change a part of a file, use edit.',
  effect: 'changes',
  input,
  async prepare({ path, content }, { workspace, files, checkpoints, turn: { client } }) {
    const file = await workspace.locate(path);
    const before = await files.read(file, client);
    return {
      title: `${before === undefined ? 'Create' : 'Replace'} ${file.shown}`,
      locations: [{ path: file.real }],
      preview: [shownDiff(file.real, before, content)],
      facts: { paths: [file.real] },
      run: async () => {
        await checkpoints.note(file.real);
        await files.replace(file, { expected: before, text: content }, client);
        return { text: `${before === undefined ? 'Created' : 'Replaced'} ${file.shown}.`, content: [] };
      },
    };
  },
});
