import type { ContentBlock, ContentChunk, TextContent } from '@turnwire/protocol';
import { matchEcho } from './prompt-echo.ts';
import { appended, remember, replaced, type Transcript, withoutGrowing } from './transcript.ts';
import type { MessageEntry } from './transcript-view.ts';

/** A chunk with its context. */
export interface ArrivedChunk {
  readonly type: MessageEntry['type'];
  readonly chunk: ContentChunk;
  readonly at: number;
  readonly isReplay: boolean;
}

/**
 * The maximum number of blocks of an entry. A longer message continues in another entry, because adding a block copies the previous ones.
 */
const mostBlocks = 256;

/** Adds a chunk to its message. Ignores an empty chunk. */
export function withChunk(transcript: Transcript, arrived: ArrivedChunk): Transcript {
  const { content } = arrived.chunk;
  if (content.type === 'text' && content.text === '') return transcript;
  if (arrived.type !== 'user' || arrived.isReplay) return withContinued(transcript, arrived);
  return withUserChunk(transcript, arrived);
}

/** Adds a user chunk, unless the agent repeats the prompt, which is shown already. */
function withUserChunk(transcript: Transcript, arrived: ArrivedChunk): Transcript {
  const { echo } = transcript.memory;
  if (echo === undefined || transcript.turnId === undefined) return withContinued(transcript, arrived);
  const match = matchEcho(echo, arrived.chunk.content);
  if (match.isEcho) return remember(transcript, { echo: match.echo });
  const updated = remember(transcript, { echo: undefined });
  if (match.taken === '') return withContinued(updated, arrived);
  const taken: ContentChunk = { ...arrived.chunk, content: { type: 'text', text: match.taken } };
  return withContinued(withContinued(updated, { ...arrived, chunk: taken }), arrived);
}

/** A whole message, as version 2 has it. */
export interface WholeMessage {
  readonly messageId: string;
  readonly content?: readonly ContentBlock[] | null;
}

/** Replaces the content of a message. Ignores a message that is not known. */
export function withWholeMessage(
  transcript: Transcript,
  type: MessageEntry['type'],
  { messageId, content }: WholeMessage,
): Transcript {
  const index = transcript.memory.messages.get(`${type} ${messageId}`);
  const entry = index === undefined ? undefined : transcript.entries.at(index);
  if (index === undefined || entry === undefined || !isMessage(entry)) return transcript;
  return replaced(transcript, index, { ...entry, content: content ?? [] });
}

function withContinued(transcript: Transcript, arrived: ArrivedChunk): Transcript {
  const index = indexOf(transcript, arrived);
  const entry = index === undefined ? undefined : transcript.entries.at(index);
  if (index === undefined || entry === undefined || !isMessage(entry)) return withNewMessage(transcript, arrived);
  const content = joined(entry.content, arrived.chunk.content);
  if (content.length > mostBlocks) return withNewMessage(transcript, arrived);
  const ended = transcript.memory.growing === index ? transcript : withoutGrowing(transcript);
  const messageId = entry.messageId ?? arrived.chunk.messageId ?? undefined;
  const now: MessageEntry = {
    ...entry,
    ...(messageId !== undefined && { messageId }),
    content,
    isOpen: transcript.turnId !== undefined,
  };
  const isNamed = entry.messageId === undefined && messageId !== undefined;
  return growingAt(replaced(ended, index, now), index, isNamed ? idKey(arrived) : undefined);
}

/** The entry a chunk continues: the one with its id, else the growing one, unless that is another message. */
function indexOf({ memory, entries, turnId }: Transcript, { type, chunk }: ArrivedChunk): number | undefined {
  const { growing } = memory;
  const open = growing === undefined ? undefined : entries.at(growing);
  const mayJoin = open?.type === type;
  if (typeof chunk.messageId !== 'string') return mayJoin ? growing : undefined;
  const known = memory.messages.get(idKey({ type, chunk }) ?? '');
  // An id recurs in a later turn only if the agent counts from one in each: then it is another message.
  const oldest = turnId === undefined ? memory.sessionStart : memory.turnStart;
  if (known !== undefined && known >= oldest) return known;
  return mayJoin && open.messageId === undefined ? growing : undefined;
}

function withNewMessage(transcript: Transcript, arrived: ArrivedChunk): Transcript {
  const { type, chunk, at, isReplay } = arrived;
  const index = transcript.entries.length;
  const { messageId } = chunk;
  const entry = {
    type,
    at,
    ...(typeof messageId === 'string' && { messageId }),
    content: [chunk.content],
    isOpen: transcript.turnId !== undefined,
    isReplay,
  };
  // A user message in a replay starts another turn, which has its own plan.
  const next = type === 'user' && isReplay ? remember(transcript, { plans: [] }) : transcript;
  return growingAt(appended(next, entry), index, idKey(arrived));
}

function growingAt(transcript: Transcript, index: number, id: string | undefined): Transcript {
  const { messages, growing } = transcript.memory;
  if (id === undefined && growing === index) return transcript;
  return remember(transcript, { growing: index, ...(id !== undefined && { messages: messages.with(id, index) }) });
}

function idKey({ type, chunk }: Pick<ArrivedChunk, 'type' | 'chunk'>): string | undefined {
  return typeof chunk.messageId === 'string' ? `${type} ${chunk.messageId}` : undefined;
}

function isMessage(entry: { readonly type: string }): entry is MessageEntry {
  return entry.type === 'user' || entry.type === 'agent' || entry.type === 'thought';
}

/** Appends a block. Neighbouring texts are joined, which costs the same however long they are. */
export function joined(blocks: readonly ContentBlock[], block: ContentBlock): readonly ContentBlock[] {
  const last = blocks.at(-1);
  if (last === undefined || !isText(last) || !isText(block) || !isSameKind(last, block)) return [...blocks, block];
  return blocks.with(-1, { ...last, text: last.text + block.text });
}

type TextBlock = { readonly type: 'text' } & TextContent;

function isText(block: ContentBlock): block is TextBlock {
  return block.type === 'text';
}

/** Texts with different annotations stay separate. */
function isSameKind(one: TextBlock, other: TextBlock): boolean {
  const [a, b] = [one.annotations ?? undefined, other.annotations ?? undefined];
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
