import { z } from 'zod';
import { keepLineEndings, splitLines } from '../workspace/line-endings.ts';
import { changeFile } from './changed-file.ts';
import { shownDiff } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { Tool } from './tool.ts';
import { ToolError } from '../tool-error.ts';

const input = () =>
  z.strictObject({
    path: z.string().min(1),
    content: z.string(),
  });

/** Creates a file, or replaces all of its content. */
export const writeTool: Tool = defineTool({
  name: 'write',
  kind: 'edit',
  description:
    'Create a text file, with missing folders, or replace its whole content; encoding and line endings are kept. To change a part, use edit.',
  effect: 'changes',
  input,
  async prepare({ path, content }, context) {
    const file = await context.workspace.locate(path);
    const before = await context.files.readForChange(file, context.turn.client);
    const after = before === undefined ? content : keepLineEndings(before, content);
    if (after === before) throw new ToolError(`${file.shown} has exactly this content already; nothing was written.`);
    const lines = splitLines(after).length;
    const size = `${lines} line${lines === 1 ? '' : 's'}`;
    return {
      title: `${before === undefined ? 'Create' : 'Replace'} ${file.shown}`,
      locations: [{ path: file.real }],
      preview: [shownDiff(file.real, before, after)],
      facts: { paths: [file.real] },
      run: () =>
        changeFile({ file, before, after }, context, {
          always: `${before === undefined ? 'Created' : 'Replaced'} ${file.shown} (${size}).`,
        }),
    };
  },
});
