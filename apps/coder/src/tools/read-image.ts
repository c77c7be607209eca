import { reading } from '../workspace/text-file.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import type { ToolResult } from './tool.ts';
import { ToolError } from '../tool-error.ts';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
// The first bytes of images; text files need no further check.
const firstBytes = new Set([0x89, 0xff, 0x47, 0x52]);
// 5 MiB in base64, the limit of providers.
const imageLimit = (15 / 4) * 1024 * 1024;

/** The media type of an image that models can look at; undefined for other files. */
export async function imageTypeOf(head: Uint8Array): Promise<string | undefined> {
  if (!firstBytes.has(head[0] ?? 0)) return undefined;
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head);
  return type && imageTypes.has(type.mime) ? type.mime : undefined;
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
