import { reading } from '../workspace/text-file.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import type { ToolResult } from './tool.ts';
import { ToolError } from '../tool-error.ts';

/** How the files of each type begin, in hexadecimal. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
];
// 5 MiB in base64, the limit of providers.
const imageLimit = (15 / 4) * 1024 * 1024;

/** The media type of an image that models accept; undefined for other files. */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const first = Buffer.from(head.subarray(0, 12)).toString('hex');
  return beginnings.find(([beginning]) => beginning.test(first))?.[1];
}

/** Reads an image for the model and the user. */
export async function readImage(path: WorkspacePath, mimeType: string): Promise<ToolResult> {
  const bytes = await reading(path, undefined, async (file) => {
    const { size } = await file.stat();
    if (size <= imageLimit) return file.readFile();
    throw new ToolError(
      `${path.shown} is an image (${mimeType}) of ${size} bytes; the limit is ${imageLimit}. Make a smaller one with a command.`,
    );
  });
  if (bytes === undefined) throw new ToolError(`There is no file ${path.shown}.`);
  const data = bytes.toString('base64');
  return {
    text: `${path.shown} is an image (${mimeType}, ${bytes.length} bytes).`,
    content: [{ type: 'content', content: { type: 'image', mimeType, data } }],
    images: [{ mimeType, data }],
  };
}
