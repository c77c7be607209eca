import { type ContentBlock, invalidParams } from '@turnwire/protocol';

/** Matches characters that no base64 alphabet contains, with any padding and line breaks. Linear, because the data may be long. */
const notBase64 = /[^\w+/=\s-]|=[\w+/-]/;

/**
 * Returns the blocks of a prompt if their data is base64. Throws ProtocolError (-32602) that names the first block whose data is not:
 * decoding it anyway would return different bytes.
 */
export function checkBytes(prompt: readonly ContentBlock[]): readonly ContentBlock[] {
  const wrong = prompt.findIndex((block) => notBase64.test(bytesOf(block)));
  if (wrong < 0) return prompt;
  throw invalidParams(`prompt[${wrong}]: the data of the ${prompt[wrong]?.type} is not base64`);
}

function bytesOf(block: ContentBlock): string {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' && 'blob' in block.resource ? block.resource.blob : '';
}
