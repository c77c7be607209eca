import { restored, withMarkedIntegers } from '@turnwire/machine';
import type { ContentBlock, ToolCallContent } from '@turnwire/protocol';
import { ToolError } from '../tool-error.ts';
import { imageTypeOf } from '../tools/read-image.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { RawResult } from './connection.ts';
import { readBlock } from './result-blocks.ts';

const longestText = 64 * 1024;
const longestRaw = 64 * 1024;
const largestMedia = 8 * 1024 * 1024;
const mostBlocks = 200;
// The formats that providers accept.
const largestImage = 5 * 1024 * 1024;
const mostImages = 10;

/**
 * The result of a server's tool: the unchanged blocks for the user; text and images for the model. Limits: 64 Ki characters of text, 8 Mi
 * characters of base64 for images and audio together, 200 blocks; a note lists the omitted parts.
 * @throws ToolError if the tool reports a failure
 */
export function toolResult(raw: RawResult): ToolResult {
  const budget = new ResultBudget();
  const blocks = raw.content.slice(0, mostBlocks).flatMap((each) => budget.admit(each));
  if (raw.content.length > mostBlocks) blocks.push(note(`${raw.content.length - mostBlocks} more parts are left out.`));
  const structured = structuredOf(raw.structuredContent);
  const shown =
    blocks.length > 0 || structured === undefined ? blocks : [{ type: 'text' as const, text: structured.text }];
  const text = shown.map(asText).join('\n') || 'It gave nothing.';
  const content: readonly ToolCallContent[] = shown.map((each) => ({ type: 'content', content: each }));
  const rawOutput = structured?.whole;
  if (raw.isError) throw new ToolError(text, { content, rawOutput });
  const images = imagesOf(blocks);
  return {
    text,
    ...(images.length > 0 && { images }),
    ...(content.length > 0 && { content }),
    ...(rawOutput !== undefined && { rawOutput }),
  };
}

/** The images that models accept. The server's media type is not trusted: a provider would refuse the whole conversation from then on. */
function imagesOf(blocks: readonly ContentBlock[]): NonNullable<ToolResult['images']> {
  const images: { readonly mimeType: string; readonly data: string }[] = [];
  for (const block of blocks) {
    if (block.type !== 'image' || block.data.length > largestImage || images.length === mostImages) continue;
    const bytes = Buffer.from(block.data, 'base64');
    const mimeType = imageTypeOf(bytes);
    if (mimeType !== undefined) images.push({ mimeType, data: bytes.toString('base64') });
  }
  return images;
}

/** The remaining capacity of a result. */
class ResultBudget {
  #text = longestText;
  #media = largestMedia;

  admit(value: unknown): readonly ContentBlock[] {
    const block = readBlock(value);
    if (block === undefined) return [note('A part of the result cannot be understood and is left out.')];
    if (block.type === 'text') return this.#admitText(block.text, (text) => ({ ...block, text }));
    if (block.type === 'image' || block.type === 'audio') return [this.#admitMedia(block, block.data.length)];
    if (block.type !== 'resource') return [block];
    const { resource } = block;
    if ('text' in resource)
      return this.#admitText(resource.text, (text) => ({ ...block, resource: { ...resource, text } }));
    return [this.#admitMedia(block, resource.blob.length)];
  }

  #admitText(text: string, make: (text: string) => ContentBlock): readonly ContentBlock[] {
    const kept = text.slice(0, this.#text);
    this.#text -= kept.length;
    const cut = text.length - kept.length;
    return [make(kept), ...(cut > 0 ? [note(`${cut} more characters of text are left out.`)] : [])];
  }

  #admitMedia(block: ContentBlock, size: number): ContentBlock {
    if (size > this.#media) return note(`A part of ${Math.ceil(size / 1024)} KiB is left out: it is too large.`);
    this.#media -= size;
    return block;
  }
}

/** A block as text, for a model that reads only text. */
function asText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}]`;
    case 'resource_link':
      return `[${block.name}](${block.uri})${block.description ? `: ${block.description}` : ''}`;
    case 'resource':
      return 'text' in block.resource
        ? `${block.resource.uri}:\n${block.resource.text}`
        : `[${block.resource.uri}: bytes]`;
    default:
      return '';
  }
}

function note(text: string): ContentBlock {
  return { type: 'text', text: `(${text})` };
}

/** Structured output as text, cut if it is too long. */
function structuredOf(value: unknown): { readonly text: string; readonly whole?: unknown } | undefined {
  if (value === undefined || value === null) return undefined;
  const text = restored(JSON.stringify(withMarkedIntegers(value), undefined, 2));
  if (text.length <= longestRaw) return { text, whole: value };
  return { text: `${text.slice(0, longestRaw)}\n(${text.length - longestRaw} more characters are left out.)` };
}
