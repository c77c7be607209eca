import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { splitLines } from '../workspace/line-endings.ts';
import type { FoundFile } from '../workspace/find-file.ts';
import { pieceDecoder } from '../workspace/text-encoding.ts';
import { headOf, noText, readHead, reading, wholeFileLimit } from '../workspace/text-file.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { LineRange } from './line-range.ts';
import { missingFile } from './missing-file.ts';
import { imageTypeOf, readImage } from './read-image.ts';
import { defineTool } from './tool.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';
import { ToolError } from '../tool-error.ts';

const lineLimit = 2000;
const characterLimit = 64 * 1024;
const chunkSize = 256 * 1024;
/** How far a file is searched for its lines, in bytes. */
const searchedLength = 1024 ** 3;

const input = () =>
  z.strictObject({
    path: z.string().min(1).describe('Outside of the workspace the user is asked'),
    line: z.int().min(1).optional().describe('First line, from 1'),
    limit: z.int().min(1).max(lineLimit).optional().describe(`Lines to read. Default ${lineLimit}`),
  });

interface Range {
  readonly line: number;
  readonly limit: number;
}

/**
 * Reads a text file, or a range of its lines, or an image. The text has no line numbers, since an edit must match it exactly. A note below
 * it gives the end of a range.
 */
export const readTool: Tool = defineTool({
  name: 'read',
  kind: 'read',
  description:
    'Read a text file or look at an image (png, jpeg, gif, webp). If it is cut, the last line, in brackets, says where to read on. A file must be read before it is changed.',
  effect: 'looks',
  input,
  async prepare({ path, line = 1, limit = lineLimit }, context) {
    const file = await context.workspace.locateToRead(path);
    return {
      title: `Read ${file.shown}`,
      locations: [{ path: file.real, ...(line > 1 && { line }) }],
      facts: { paths: [file.real] },
      run: () => readFile(file, { line, limit }, context),
    };
  },
});

async function readFile(file: WorkspacePath, range: Range, { files, turn, signal }: ToolContext): Promise<ToolResult> {
  const { size = 0, head } = (await readHead(file)) ?? {};
  const image = head && imageTypeOf(head);
  if (image !== undefined) return readImage(file, image);
  if (size > wholeFileLimit) return { text: await streamRange(file, range, signal) };
  const found = await files.open(file, turn.client);
  if (found.text === undefined) throw await missingFile(file);
  return { text: textRange(file, found.text, { range, notes: notesOn(found) }) };
}

function textRange(
  file: WorkspacePath,
  text: string,
  { range, notes }: { readonly range: Range; readonly notes: readonly string[] },
): string {
  const lines = rangeOf(range);
  lines.add(text);
  lines.end();
  return shownRange(file, lines, { range, notes, total: splitLines(text).length });
}

// A file of that size is read from the disk, and only as far as needed.
async function streamRange(file: WorkspacePath, range: Range, signal: AbortSignal): Promise<string> {
  const lines = rangeOf(range);
  const pass = await reading(file, undefined, (handle) => passBy(file, handle, { lines, signal }));
  if (pass === undefined) throw await missingFile(file);
  lines.end();
  return shownRange(file, lines, { range, notes: [], total: pass.isOver ? lines.passed : undefined });
}

async function passBy(
  { shown }: WorkspacePath,
  handle: FileHandle,
  { lines, signal }: { readonly lines: LineRange; readonly signal: AbortSignal },
): Promise<{ readonly isOver: boolean }> {
  const head = await headOf(handle);
  const decode = pieceDecoder(head);
  const chunk = Buffer.allocUnsafe(chunkSize);
  let read = 0;
  while (!lines.isFull) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunkSize);
    read += bytesRead;
    if (read > searchedLength && lines.text === '') throw lineTooFar(shown);
    try {
      lines.add(decode(chunk.subarray(0, bytesRead)));
    } catch {
      throw await noText(shown, head, (await handle.stat()).size);
    }
    if (bytesRead === 0) return { isOver: true };
  }
  return { isOver: false };
}

function lineTooFar(shown: string): ToolError {
  return new ToolError(
    `The line does not begin in the first ${searchedLength} bytes of ${shown}, which is as far as lines are searched. Use a command.`,
  );
}

function rangeOf(range: Range): LineRange {
  return new LineRange({ ...range, characters: characterLimit });
}

interface RangeFacts {
  readonly range: Range;
  readonly notes: readonly string[];
  /** The number of lines; undefined if it is not known. */
  readonly total: number | undefined;
}

function shownRange({ shown }: WorkspacePath, lines: LineRange, { range, notes, total }: RangeFacts): string {
  if (total === 0 && range.line === 1) return [`[${shown} is empty.]`, ...notes].join('\n');
  if (lines.next === range.line)
    throw new ToolError(`${shown} has ${total} lines; line ${range.line} is past its end.`);
  const { text, next } = lines;
  const goesOn = total === undefined || next <= total;
  const cuts = [
    ...(lines.isCut ? [`line ${next - 1} continues, which only a command can show`] : []),
    ...(goesOn ? [`read on at line ${next}${total === undefined ? '' : ` of ${total}`}`] : []),
  ];
  const footer = [...(cuts.length > 0 ? [`[Cut here: ${cuts.join('; ')}.]`] : []), ...notes];
  return footer.length === 0 ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${footer.join('\n')}`;
}

function notesOn({ drift, disk }: FoundFile): readonly string[] {
  const encoding = disk?.encoding.name ?? 'utf-8';
  return [
    ...(drift === 'unsaved' ? ['[This is the text in the editor, with changes that are not saved yet.]'] : []),
    ...(drift === 'stale' ? ['[This is the text on the disk; the editor still shows an earlier one.]'] : []),
    ...(encoding === 'utf-8' ? [] : [`[The encoding of the file is ${encoding}.]`]),
  ];
}
