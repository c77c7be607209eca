import type { LanguageModelV3FilePart, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { ChosenModel } from '../model/model.ts';
import { omitted } from './attachment.ts';
import type { ConversationMessage, UserMessage } from './kept-conversation.ts';

type Takes = ChosenModel['takes'];
type ToolMessage = Extract<ConversationMessage, { role: 'tool' }>;

/**
 * A conversation as one model accepts it. Content that the model cannot read is replaced by its name: another model may have been chosen
 * when it was added. Images in tool results follow their results, since few providers accept them within. Blank text is left out: some
 * models write it before a call, and other providers refuse it.
 */
export function fitToModel(messages: readonly ConversationMessage[], takes: Takes): ConversationMessage[] {
  return messages.flatMap((message): ConversationMessage[] => {
    if (message.role === 'tool') return fitResults(message, takes);
    const content = (message.content as SaidPart[]).filter(
      // A provider requires its own metadata back, even that of a blank text.
      (part) => part.type !== 'text' || part.text.trim() !== '' || part.providerOptions !== undefined,
    );
    if (content.length === 0) return [];
    const said = content.length === message.content.length ? message : ({ ...message, content } as SaidMessage);
    return [said.role === 'user' ? fitUser(said, takes) : said];
  });
}

type SaidMessage = Exclude<ConversationMessage, ToolMessage>;
type SaidPart = SaidMessage['content'][number];

/** Whether a model can read files of this type. */
export function takesFile(takes: Takes, mediaType: string): boolean {
  if (mediaType.startsWith('image/')) return takes.image;
  if (mediaType.startsWith('audio/')) return takes.audio;
  return mediaType === 'application/pdf' && takes.pdf;
}

function fitUser(message: UserMessage, takes: Takes): UserMessage {
  if (message.content.every((part) => part.type === 'text' || takesFile(takes, part.mediaType))) return message;
  const content = message.content.map((part) =>
    part.type === 'text' || takesFile(takes, part.mediaType)
      ? part
      : omitted({ type: part.mediaType }, 'you cannot see such files'),
  );
  return { ...message, content };
}

function fitResults(message: ToolMessage, takes: Takes): ConversationMessage[] {
  const files: LanguageModelV3FilePart[] = [];
  const content = message.content.map((part) => (part.type === 'tool-result' ? withoutFiles(part, files) : part));
  if (content.every((part, index) => part === message.content[index])) return [message];
  const shown = files.filter(({ mediaType }) => takesFile(takes, mediaType));
  const results: ToolMessage = { ...message, content };
  if (shown.length === 0) return [results];
  return [results, { role: 'user', content: [{ type: 'text', text: 'What the tools showed:' }, ...shown] }];
}

/** A result without its files, which are added to the list. */
function withoutFiles(
  part: LanguageModelV3ToolResultPart,
  files: LanguageModelV3FilePart[],
): LanguageModelV3ToolResultPart {
  if (part.output.type !== 'content') return part;
  const texts = part.output.value.flatMap((item) => {
    if (item.type === 'image-data' || item.type === 'file-data')
      files.push({ type: 'file', data: item.data, mediaType: item.mediaType });
    return item.type === 'text' ? [item.text] : [];
  });
  return { ...part, output: { type: 'text', value: texts.join('\n') } };
}
