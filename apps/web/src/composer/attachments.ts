import type { ContentBlock, PromptCapabilities } from '@turnwire/protocol';

/** A file or picture sent with a prompt. */
export interface Attachment {
  readonly key: string;
  readonly name: string;
  readonly block: ContentBlock;
}

/** The largest file that a prompt can contain, in bytes. */
const largest = 10 * 1024 * 1024;

/** Converts a file to a part of a prompt. Rejects with the reason if this agent does not support it. */
export async function attachmentOf(file: File, can: PromptCapabilities): Promise<Attachment> {
  const { name, type, size } = file;
  if (size > largest) throw new Error(`${name} is larger than 10 MB`);
  return { key: crypto.randomUUID(), name: name || 'picture', block: await blockOf(file, { type, can }) };
}

/** The attachments of a prompt, ready to be attached to the next one. */
export function attachedAgain(content: readonly ContentBlock[]): readonly Attachment[] {
  return content
    .filter(({ type }) => type === 'image' || type === 'audio' || type === 'resource')
    .map((block) => ({ key: crypto.randomUUID(), name: nameOf(block), block }));
}

function nameOf(block: ContentBlock): string {
  if (block.type !== 'resource') return block.type === 'image' ? 'picture' : 'sound';
  const name = block.resource.uri.slice(block.resource.uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    // Other clients may send names that are not percent-encoded.
    return name;
  }
}

async function blockOf(
  file: File,
  { type, can }: { readonly type: string; readonly can: PromptCapabilities },
): Promise<ContentBlock> {
  const kind = type.split('/', 1)[0];
  if (kind === 'image' || kind === 'audio') {
    if (can[kind] !== true)
      throw new Error(`This agent does not support ${kind === 'image' ? 'pictures' : 'sounds'}: ${file.name}`);
    return { type: kind, mimeType: type, data: await base64(file) };
  }
  const text = await file.text();
  if (text.includes('\0')) throw new Error(`${file.name} is not a text file`);
  if (can.embeddedContext !== true) return { type: 'text', text: `${file.name}:\n\`\`\`\n${text}\n\`\`\`` };
  const uri = `attachment:///${encodeURIComponent(file.name)}`;
  return { type: 'resource', resource: { uri, mimeType: type || 'text/plain', text } };
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The content of a prompt: its text, links to the session's files that it mentions with `@`, and its attachments. */
export function promptOf(
  text: string,
  {
    files,
    folder,
    attachments,
  }: { readonly files: readonly string[]; readonly folder: string; readonly attachments: readonly Attachment[] },
): readonly ContentBlock[] {
  const named = [...text.matchAll(/(?:^|\s)@(\S+)/g)]
    .map(([, path = '']) => path)
    .filter((path) => files.includes(path));
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text', text } as const]),
    ...[...new Set(named)].map((path) => ({ type: 'resource_link', name: path, uri: fileUrl(folder, path) }) as const),
    ...attachments.map(({ block }) => block),
  ];
}

function fileUrl(folder: string, path: string): string {
  return `file://${`${folder}/${path}`.split('/').map(encodeURIComponent).join('/')}`;
}
