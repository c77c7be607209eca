import type { ContentBlock, ContentChunk, TextContent } from '@turnwire/protocol';
import { matchEcho } from './prompt-echo.ts';
import { appended, remember, replaced, type Thread, withoutGrowing } from './thread.ts';
import type { MessageEntry } from './thread-view.ts';

/** A chunk with what is known of it. */
export interface ArrivedChunk {
  readonly type: MessageEntry['type'];
  readonly chunk: ContentChunk;
  readonly at: number;
  readonly isReplay: boolean;
}

/** Blocks of one entry. A longer message goes on in another entry: adding a block copies the ones before. */
const mostBlocks = 256;

/** Puts a chunk where it belongs. An empty one says nothing and leaves nothing. */
export function withChunk(thread: Thread, arrived: ArrivedChunk): Thread {
  const { content } = arrived.chunk;
  if (content.type === 'text' && content.text === '') return thread;
  if (arrived.type !== 'user' || arrived.isReplay) return grown(thread, arrived);
  return withUserChunk(thread, arrived);
}

/** In a turn, the agent may repeat the prompt, which is shown already. */
function withUserChunk(thread: Thread, arrived: ArrivedChunk): Thread {
  const { echo } = thread.memory;
  if (echo === undefined || thread.turnId === undefined) return grown(thread, arrived);
  const match = matchEcho(echo, arrived.chunk.content);
  if (match.isEcho) return remember(thread, { echo: match.echo });
  const told = remember(thread, { echo: undefined });
  if (match.taken === '') return grown(told, arrived);
  const taken: ContentChunk = { ...arrived.chunk, content: { type: 'text', text: match.taken } };
  return grown(grown(told, { ...arrived, chunk: taken }), arrived);
}

function grown(thread: Thread, arrived: ArrivedChunk): Thread {
  const place = placeOf(thread, arrived);
  const entry = place === undefined ? undefined : thread.entries.at(place);
  if (place === undefined || entry === undefined || !isMessage(entry)) return begun(thread, arrived);
  const content = joined(entry.content, arrived.chunk.content);
  if (content.length > mostBlocks) return begun(thread, arrived);
  const calm = thread.memory.growing === place ? thread : withoutGrowing(thread);
  const messageId = entry.messageId ?? arrived.chunk.messageId ?? undefined;
  const now: MessageEntry = {
    ...entry,
    ...(messageId !== undefined && { messageId }),
    content,
    isOpen: thread.turnId !== undefined,
  };
  const isNamed = entry.messageId === undefined && messageId !== undefined;
  return growingAt(replaced(calm, place, now), place, isNamed ? idKey(arrived) : undefined);
}

/** The entry a chunk continues: the one with its id, else the one that grows, unless that is another message. */
function placeOf({ memory, entries, turnId }: Thread, { type, chunk }: ArrivedChunk): number | undefined {
  const { growing } = memory;
  const open = growing === undefined ? undefined : entries.at(growing);
  const mayJoin = open?.type === type;
  if (typeof chunk.messageId !== 'string') return mayJoin ? growing : undefined;
  const known = memory.messages.get(idKey({ type, chunk }) ?? '');
  // An id comes again in a later turn only if the agent counts from one in each: that is another message.
  const oldest = turnId === undefined ? memory.sessionStart : memory.turnStart;
  if (known !== undefined && known >= oldest) return known;
  return mayJoin && open.messageId === undefined ? growing : undefined;
}

function begun(thread: Thread, arrived: ArrivedChunk): Thread {
  const { type, chunk, at, isReplay } = arrived;
  const place = thread.entries.length;
  const { messageId } = chunk;
  const entry = {
    type,
    at,
    ...(typeof messageId === 'string' && { messageId }),
    content: [chunk.content],
    isOpen: thread.turnId !== undefined,
    isReplay,
  };
  // What a person said in a replay begins another turn, which has its own plan.
  const next = type === 'user' && isReplay ? remember(thread, { plan: undefined }) : thread;
  return growingAt(appended(next, entry), place, idKey(arrived));
}

function growingAt(thread: Thread, place: number, id: string | undefined): Thread {
  const { messages, growing } = thread.memory;
  if (id === undefined && growing === place) return thread;
  return remember(thread, { growing: place, ...(id !== undefined && { messages: messages.with(id, place) }) });
}

function idKey({ type, chunk }: Pick<ArrivedChunk, 'type' | 'chunk'>): string | undefined {
  return typeof chunk.messageId === 'string' ? `${type} ${chunk.messageId}` : undefined;
}

function isMessage(entry: { readonly type: string }): entry is MessageEntry {
  return entry.type === 'user' || entry.type === 'agent' || entry.type === 'thought';
}

/** The blocks with one more. Neighbouring texts become one, which costs the same however long they are. */
export function joined(blocks: readonly ContentBlock[], block: ContentBlock): readonly ContentBlock[] {
  const last = blocks.at(-1);
  if (last === undefined || !isText(last) || !isText(block) || !isSameKind(last, block)) return [...blocks, block];
  return blocks.with(-1, { ...last, text: last.text + block.text });
}

type TextBlock = { readonly type: 'text' } & TextContent;

function isText(block: ContentBlock): block is TextBlock {
  return block.type === 'text';
}

/** Texts for different readers, or of different weight, stay apart. */
function isSameKind(one: TextBlock, other: TextBlock): boolean {
  const [a, b] = [one.annotations ?? undefined, other.annotations ?? undefined];
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
