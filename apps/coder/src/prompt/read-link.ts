import type { ContentBlock } from '@turnwire/protocol';
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { CoderTurn } from '../session/session-memory.ts';
import { imageTypeOf, readImage } from '../tools/read-image.ts';
import { failureMessage } from '../tool-error.ts';
import { readHead, reading, wholeFileLimit } from '../workspace/text-file.ts';
import type { WorkspacePath } from '../workspace/workspace.ts';
import { attachment, omitted, textAttachment } from '../conversation/attachment.ts';

type Link = Extract<ContentBlock, { type: 'resource_link' }>;
type Part = LanguageModelV3TextPart | LanguageModelV3FilePart;
type About = Readonly<Record<string, string>>;

/** 5 MiB once it is base64, as for images. */
const longestPdf = (15 / 4) * 1024 * 1024;

/**
 * The content of a link in a prompt, if it is a file of the session that no rule protects; else its name. The sender of the link has no
 * more rights than the agent, since editors link any open file.
 */
export async function readLink(turn: CoderTurn, { uri, name }: Link): Promise<readonly Part[]> {
  const about = { uri, name };
  if (!/^file:/i.test(uri)) return [attachment(about)];
  const { workspace, permissions } = turn.session.memory;
  try {
    // A fragment is not part of the path.
    const file = await workspace.locate(uri.replace(/[?#].*$/s, ''));
    const why = permissions.forbidsReading(file.real);
    return why === undefined ? await contentOf(turn, file, about) : [omitted(about, `It may not be read: ${why}`)];
  } catch (error) {
    return [omitted(about, failureMessage(error))];
  }
}

async function contentOf(turn: CoderTurn, file: WorkspacePath, about: About): Promise<readonly Part[]> {
  const { head, size } = (await readHead(file)) ?? { head: new Uint8Array(), size: 0 };
  const image = imageTypeOf(head);
  if (image !== undefined) return [attachment(about), ...imagesOf(await readImage(file, image))];
  if (isPdf(head)) return [attachment(about), await readPdf(file, size)];
  if (size > wholeFileLimit) return [omitted(about, `too long to be attached (${size} bytes)`)];
  const text = await turn.session.memory.files.read(file, turn.client);
  return [text === undefined ? omitted(about, 'there is no such file') : textAttachment(about, text)];
}

function imagesOf({ images = [] }: Awaited<ReturnType<typeof readImage>>): readonly LanguageModelV3FilePart[] {
  return images.map(({ mimeType, data }) => ({ type: 'file', mediaType: mimeType, data }));
}

function isPdf(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 5)).toString('latin1') === '%PDF-';
}

async function readPdf(file: WorkspacePath, size: number): Promise<Part> {
  if (size > longestPdf) return omitted({}, `too long to be attached (${size} bytes)`);
  const bytes = await reading(file, undefined, (opened) => opened.readFile());
  return { type: 'file', mediaType: 'application/pdf', data: bytes?.toString('base64') ?? '' };
}
