import { type ContentBlock, invalidParams } from '@turnwire/protocol';

/** What base64 never has, with whatever alphabet, padding and line breaks. Finds it in one pass: the data may be long. */
const notBase64 = /[^\w+/=\s-]|=[\w+/-]/;

/**
 * The blocks of a prompt, if their bytes are base64. Throws ProtocolError (-32602) that names the first block whose are not: read all the same
 * they would be other bytes than the client has.
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
