import { z } from 'zod';
import { readTextFile, replaceTextFile } from '../workspace/text-file.ts';
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
  readOnly: false,
  input,
  async prepare({ path, content }, { workspace }) {
    const file = await workspace.locate(path);
    const before = await readTextFile(file);
    return {
      title: `${before === undefined ? 'Create' : 'Replace'} ${file.shown}`,
      locations: [{ path: file.real }],
      preview: [shownDiff(file.real, before, content)],
      run: async () => {
        await replaceTextFile(file, before, content);
        return { text: `${before === undefined ? 'Created' : 'Replaced'} ${file.shown}.`, content: [] };
      },
    };
  },
});
