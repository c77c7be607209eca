import type { LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { omitted } from './attachment.ts';
import type { ConversationMessage, UserMessage } from './kept-conversation.ts';

type ToolMessage = Extract<ConversationMessage, { role: 'tool' }>;

/** The messages with a line of text in place of each image or other file from an index on. The same array if nothing changes. */
export function omitFiles(messages: readonly ConversationMessage[], from: number): readonly ConversationMessage[] {
  const changed = messages.map((message, index) => (index < from ? message : withoutFiles(message)));
  return changed.some((message, index) => message !== messages[index]) ? changed : messages;
}

function withoutFiles(message: ConversationMessage): ConversationMessage {
  if (message.role === 'user') return message.content.some(isFile) ? withoutAttachments(message) : message;
  return message.role === 'tool' && message.content.some(hasFiles) ? withoutResultFiles(message) : message;
}

function withoutAttachments(message: UserMessage): UserMessage {
  const content = message.content.map((part) =>
    part.type === 'file' ? omitted({ type: part.mediaType }, refused) : part,
  );
  return { ...message, content };
}

function withoutResultFiles(message: ToolMessage): ToolMessage {
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part;
    const value = part.output.value.map((item) =>
      item.type === 'text' ? item : ({ type: 'text', text: `(A file is left out: ${refused}.)` } as const),
    );
    return { ...part, output: { ...part.output, value } };
  });
  return { ...message, content };
}

function isFile({ type }: UserMessage['content'][number]): boolean {
  return type === 'file';
}

function hasFiles(part: ToolMessage['content'][number]): boolean {
  const { output } = part as LanguageModelV3ToolResultPart;
  return part.type === 'tool-result' && output.type === 'content' && output.value.some(({ type }) => type !== 'text');
}

const refused = 'the service of the model refused it';
