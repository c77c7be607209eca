import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { readRecordedFiles, type RecordedFilesEntry } from './recorded-files.ts';

/** A message to a model. System messages are not part of a conversation. */
export type ConversationMessage = Exclude<LanguageModelV3Message, { role: 'system' }>;

/** A message of the user. */
export type UserMessage = Extract<ConversationMessage, { role: 'user' }>;

/** An entry of a conversation, as it is stored. A message is stored as it is; one of the user begins a turn. */
export type ConversationEntry =
  | ConversationMessage
  /** A message of the user while a turn ran, or of the agent to the model. */
  | { readonly type: 'steered'; readonly message: UserMessage }
  /** The turn's last messages are removed, the turn itself is not: the model refused it. */
  | { readonly type: 'turn-forgotten' }
  | { readonly type: 'turn-dropped' }
  | RecordedFilesEntry
  /** A summary replaces all messages but these: the one with this index and those from `from` on. */
  | { readonly type: 'compacted'; readonly summary: string; readonly prompt: number | null; readonly from: number }
  /** The long tool results of the messages before `before` were cut. */
  | { readonly type: 'results-trimmed'; readonly before: number }
  /** The files of the messages from `from` on were replaced by text: a provider refused them. */
  | { readonly type: 'files-omitted'; readonly from: number };

/** Reads a stored entry. Undefined for other data and for torn entries. */
export function readEntry(value: unknown): ConversationEntry | undefined {
  if (!isRecord(value)) return undefined;
  if ('role' in value) return readMessage(value);
  switch (value['type']) {
    case 'steered': {
      const message = readMessage(value['message']);
      return message?.role === 'user' ? { type: 'steered', message } : undefined;
    }
    case 'turn-forgotten':
    case 'turn-dropped':
      return { type: value['type'] };
    case 'files-recorded':
      return readRecordedFiles(value);
    case 'compacted':
      return readCompaction(value);
    case 'results-trimmed':
      return readTrimming(value);
    case 'files-omitted':
      return readOmission(value);
    default:
      return undefined;
  }
}

function readTrimming({ before }: Record<string, unknown>): ConversationEntry | undefined {
  return isCount(before) ? { type: 'results-trimmed', before } : undefined;
}

function readOmission({ from }: Record<string, unknown>): ConversationEntry | undefined {
  return isCount(from) ? { type: 'files-omitted', from } : undefined;
}

function readCompaction({ summary, prompt, from }: Record<string, unknown>): ConversationEntry | undefined {
  if (typeof summary !== 'string' || !isCount(from)) return undefined;
  return { type: 'compacted', summary, prompt: isCount(prompt) && prompt < from ? prompt : null, from };
}

// The provider would refuse every later call because of one bad part.
function readMessage(value: unknown): ConversationMessage | undefined {
  if (!isRecord(value) || !Array.isArray(value['content'])) return undefined;
  const { role, content } = value;
  const isPart = parts[String(role)];
  if (isPart === undefined || !content.every((part) => isRecord(part) && isPart(part))) return undefined;
  return value as unknown as ConversationMessage;
}

const parts: Readonly<Record<string, (part: Record<string, unknown>) => boolean>> = {
  user: (part) => isText(part) || isFile(part),
  assistant: (part) => isText(part) || isCall(part),
  tool: (part) => part['type'] === 'tool-result' && isNamed(part) && isRecord(part['output']),
};

function isText({ type, text }: Record<string, unknown>): boolean {
  return (type === 'text' || type === 'reasoning') && typeof text === 'string';
}

function isFile({ type, data, mediaType }: Record<string, unknown>): boolean {
  return type === 'file' && typeof data === 'string' && typeof mediaType === 'string';
}

function isCall(part: Record<string, unknown>): boolean {
  return part['type'] === 'tool-call' && isNamed(part) && 'input' in part;
}

function isNamed({ toolCallId, toolName }: Record<string, unknown>): boolean {
  return typeof toolCallId === 'string' && typeof toolName === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
