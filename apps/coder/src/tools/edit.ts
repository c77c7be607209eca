import { z } from 'zod';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { findReplacements, replaceRanges } from './replace-text.ts';
import { shownDiff } from './shown-content.ts';
import { defineTool } from './tool.ts';
import type { PreparedCall, Tool, ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('File to change, absolute or relative to the working directory'),
  oldText: z
    .string()
    .min(1)
    .describe('Text to replace, exactly as in the file, with enough around it to occur only once'),
  newText: z.string().describe('Text to put in its place'),
  replaceAll: z.boolean().optional().describe('Replace every occurrence. Default false'),
});

type EditInput = z.infer<typeof input>;

/** Replaces a text in a file by another. */
export const editTool: Tool = defineTool({
  name: 'edit',
  kind: 'edit',
  description: 'Replace a text in a file. The old text must match exactly and once. Line endings of the file are kept.',
  effect: 'changes',
  input,
  async prepare(edit, context) {
    const { workspace, files, turn } = context;
    const file = await workspace.locate(edit.path);
    const before = await files.read(file, turn.client);
    if (before === undefined) throw new ToolError(`There is no file ${file.shown}.`);
    return prepareEdit({ file, before, context }, edit);
  },
});

interface FileToEdit {
  readonly file: WorkspacePath;
  readonly before: string;
  readonly context: ToolContext;
}

function prepareEdit(
  { file, before, context: { files, checkpoints, turn } }: FileToEdit,
  { oldText, newText, replaceAll = false }: EditInput,
): PreparedCall {
  const found = findReplacements(before, oldText, newText);
  if ('explanation' in found) throw new ToolError(`Nothing was changed in ${file.shown}: ${found.explanation}`);
  if (found.starts.length > 1 && !replaceAll) throw new ToolError(ambiguous(file, before, found.starts));
  const after = replaceRanges(before, found);
  if (after === before) throw new ToolError(`Nothing was changed in ${file.shown}: the new text is the old text.`);
  const count = found.starts.length;
  return {
    title: `Edit ${file.shown}`,
    locations: [{ path: file.real, line: lineAt(before, found.starts[0] ?? 0) }],
    preview: [shownDiff(file.real, before, after)],
    facts: { paths: [file.real] },
    run: async () => {
      await checkpoints.note(file.real);
      await files.replace(file, { expected: before, text: after }, turn.client);
      return {
        text: `Replaced ${count === 1 ? 'one occurrence' : `${count} occurrences`} in ${file.shown}.`,
        content: [],
      };
    },
  };
}

function ambiguous(file: WorkspacePath, before: string, starts: readonly number[]): string {
  const lines = starts
    .slice(0, 10)
    .map((start) => lineAt(before, start))
    .join(', ');
  return `Nothing was changed in ${file.shown}: the old text occurs ${starts.length} times (lines ${lines}). Give more of the text around the one meant, or replace all.`;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
