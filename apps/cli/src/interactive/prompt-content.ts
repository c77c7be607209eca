import { readFile, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentCapabilities, ContentBlock } from '@agentwire/protocol';

/** A file that is sent whole is at most this long, in bytes; a longer one is named. */
const longestText = 200_000;
/** An image may be this long, in bytes. */
const longestImage = 10_000_000;

/** An image that goes with the next prompt. */
export interface Attachment {
  readonly path: string;
  readonly name: string;
}

/** What a prompt is made from. */
export interface PromptParts {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly cwd: string;
  /** Absent while the agent is not there yet: files are only named then. */
  readonly capabilities: AgentCapabilities | undefined;
}

const imageTypes: Readonly<Record<string, string | undefined>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** Whether a path names an image, by its ending. */
export function isImagePath(path: string): boolean {
  return imageTypes[extname(path).toLowerCase()] !== undefined;
}

/**
 * The blocks of a prompt: its text, then the images and the files it names with `@`. Files go along whole where the agent takes
 * them, else as a link. Rejects with why an image cannot be sent: it must not be left out silently.
 */
export async function promptContent(parts: PromptParts): Promise<readonly ContentBlock[]> {
  const mentioned = await mentionedFiles(parts);
  const images = [...parts.attachments.map(({ path }) => path), ...mentioned.filter(isImagePath)];
  const files = mentioned.filter((path) => !isImagePath(path));
  return [
    { type: 'text', text: parts.text },
    ...(await Promise.all([...new Set(images)].map((path) => imageBlock(path, parts.capabilities)))),
    ...(await Promise.all(files.map((path) => fileBlock(path, parts.capabilities)))),
  ];
}

/** Paths behind `@` that are there. An `@` may also be a name or an address, so others are left alone. */
async function mentionedFiles({ text, cwd }: PromptParts): Promise<string[]> {
  const names = Array.from(text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g), ([, quoted, bare]) => quoted ?? bare ?? '');
  const paths = [...new Set(names.map((name) => resolve(cwd, name)))];
  const found = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.isFile()));
  return paths.filter((_, index) => found[index]);
}

async function imageBlock(path: string, capabilities: AgentCapabilities | undefined): Promise<ContentBlock> {
  if (!capabilities?.promptCapabilities?.image) throw new Error(`${basename(path)} was not sent: the agent takes no images`);
  const data = await readFile(path).catch((error: Error) => {
    throw new Error(`${basename(path)} was not sent: ${error.message}`);
  });
  if (data.length > longestImage) throw new Error(`${basename(path)} was not sent: it is larger than 10 MB`);
  const mimeType = imageTypes[extname(path).toLowerCase()] ?? 'image/png';
  return { type: 'image', data: data.toString('base64'), mimeType, uri: pathToFileURL(path).href };
}

async function fileBlock(path: string, capabilities: AgentCapabilities | undefined): Promise<ContentBlock> {
  const uri = pathToFileURL(path).href;
  const { size } = await stat(path);
  const link: ContentBlock = { type: 'resource_link', uri, name: basename(path), size };
  if (!capabilities?.promptCapabilities?.embeddedContext || size > longestText) return link;
  const data = await readFile(path);
  // What holds a zero byte is no text.
  return data.includes(0) ? link : { type: 'resource', resource: { uri, text: data.toString('utf8') } };
}
