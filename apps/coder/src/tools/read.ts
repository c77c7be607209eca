import { z } from 'zod';
import { readTextFile } from '../workspace/text-file.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolResult } from './tool.ts';
import { ToolError } from './tool-error.ts';

const lineLimit = 2000;
const characterLimit = 64 * 1024;

const input = z.strictObject({
  path: z.string().min(1).describe('File to read, absolute or relative to the working directory'),
  line: z.int().min(1).optional().describe('First line to read, from 1. Default 1'),
  limit: z.int().min(1).max(lineLimit).optional().describe(`Lines to read. Default and most: ${lineLimit}`),
});

/** Reads a text file, or a range of its lines. */
export const readTool: Tool = defineTool({
  name: 'read',
  kind: 'read',
  description: 'Read a UTF-8 text file. Long files are cut; the last line then says where to read on.',
  effect: 'looks',
  input,
  async prepare({ path, line = 1, limit = lineLimit }, { workspace }) {
    const file = await workspace.locate(path);
    return {
      title: `Read ${file.shown}`,
      locations: [{ path: file.real, ...(line > 1 && { line }) }],
      facts: { paths: [file.real] },
      run: () => readRange(file, line, limit),
    };
  },
});

async function readRange(file: WorkspacePath, line: number, limit: number): Promise<ToolResult> {
  const text = await readTextFile(file);
  if (text === undefined) throw new ToolError(`There is no file ${file.shown}.`);
  const lines = text.replace(/^\uFEFF/, '').split(/(?<=\n)/);
  if (line > lines.length)
    throw new ToolError(`${file.shown} has ${lines.length} lines; line ${line} is past its end.`);
  const range = fitting(lines.slice(line - 1, line - 1 + limit));
  const next = line + range.length;
  const rest = next <= lines.length ? [`read on at line ${next} of ${lines.length}`] : [];
  return { text: withNotes(range.join(''), rest) };
}

function withNotes(text: string, notes: readonly string[]): string {
  const shown = text.slice(0, characterLimit);
  const all =
    shown.length < text.length ? [`the line goes on for ${text.length - shown.length} characters`, ...notes] : notes;
  return all.length === 0 ? shown : `${shown}${shown.endsWith('\n') ? '' : '\n'}[Cut here: ${all.join('; ')}.]`;
}

// At least one line, however long, so that reading on always gets further.
function fitting(lines: readonly string[]): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line, index) => (length += line.length) > characterLimit && index > 0);
  return end === -1 ? lines : lines.slice(0, end);
}
