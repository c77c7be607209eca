import type { ContentBlock } from '@turnwire/protocol';
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { ChosenModel } from '../model/model.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { attachment, omitted, textAttachment } from '../conversation/attachment.ts';
import { takesFile } from '../conversation/fit-to-model.ts';
import type { UserMessage } from '../conversation/kept-conversation.ts';
import { imageTypeOf } from '../tools/read-image.ts';
import { readLink } from './read-link.ts';

type Part = LanguageModelV3TextPart | LanguageModelV3FilePart;

/**
 * A prompt as models accept it: each block is a part, and attachments are marked. Content that this model cannot read stays in the
 * conversation for other models, with a notice to the user. Blank text is left out, since providers refuse it: a prompt with nothing else
 * has no parts and is not sent to a model.
 */
export async function userMessage(
  turn: CoderTurn,
  prompt: readonly ContentBlock[],
  { id, takes }: Pick<ChosenModel, 'id' | 'takes'>,
): Promise<UserMessage> {
  const content: Part[] = [];
  for (const block of prompt) content.push(...(await partsOf(turn, block)).map(asPicture));
  const unseen = content.filter((part) => part.type === 'file' && !takesFile(takes, part.mediaType));
  if (unseen.length > 0) await warnAboutUnseen(turn, id, unseen as LanguageModelV3FilePart[]);
  if (content.includes(notPicture)) await turn.notice({ severity: 'warning', title: notPictureTitle });
  return { role: 'user', content };
}

async function partsOf(turn: CoderTurn, block: ContentBlock): Promise<readonly Part[]> {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'image':
    case 'audio':
      return [{ type: 'file', mediaType: block.mimeType, data: block.data }];
    case 'resource_link':
      return readLink(turn, block);
    case 'resource':
      return embedded(turn, block.resource);
    default:
      return [omitted({}, `content of an unknown type`)];
  }
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

async function embedded(turn: CoderTurn, resource: Resource): Promise<readonly Part[]> {
  const { uri, mimeType } = resource;
  // Some clients decode the bytes of an image as text; the file still has them.
  if ('text' in resource)
    return resource.text.includes('\0') && /^file:/i.test(uri)
      ? readLink(turn, { type: 'resource_link', uri, name: uri })
      : [textAttachment({ uri }, resource.text)];
  const mediaType = mimeType ?? 'application/octet-stream';
  if (/^(?:image|audio)\/|^application\/pdf$/.test(mediaType))
    return [attachment({ uri, type: mediaType }), { type: 'file', mediaType, data: resource.blob }];
  if (/^text\/|[/+](?:json|xml|yaml|javascript|toml)$/.test(mediaType))
    return [textAttachment({ uri }, Buffer.from(resource.blob, 'base64').toString('utf8'))];
  return [omitted({ uri }, `binary (${mediaType})`)];
}

/** Sets the type of an image by its bytes: providers refuse a mismatch, and every later request with it. */
function asPicture(part: Part): Part {
  if (part.type !== 'file' || !part.mediaType.startsWith('image/')) return part;
  const mediaType = imageTypeOf(Buffer.from(String(part.data).slice(0, 16), 'base64'));
  return mediaType === undefined ? notPicture : { ...part, mediaType };
}

const notPicture = omitted({}, 'it is declared as an image, but is not a PNG, JPEG, GIF or WebP file');
const notPictureTitle = 'An attached image is left out: it is not a PNG, JPEG, GIF or WebP file.';

async function warnAboutUnseen(
  turn: CoderTurn,
  model: string,
  files: readonly LanguageModelV3FilePart[],
): Promise<void> {
  const types = [...new Set(files.map(({ mediaType }) => mediaType))].join(', ');
  await turn.notice({
    severity: 'warning',
    title: `${model} cannot read your attachment (${types}); it is left out.`,
    description: 'Choose a model that can, and ask again: the attachment stays in the conversation.',
  });
}
