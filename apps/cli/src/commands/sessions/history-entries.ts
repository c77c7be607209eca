import type { TranscriptEvent } from '@turnwire/client/transcript';
import { contentText } from '@turnwire/client/view';

/** The beginning of an entry of a history: a prompt, an answer or a notice. */
interface EntryStart {
  readonly role: 'user' | 'assistant' | 'notice';
  /** ISO 8601. */
  readonly timestamp: string;
}

/** The start of an entry, or a part of its text. */
export type EntryPiece = EntryStart | string;

/** The maximum length of a piece, in characters, and of withheld white space, which is dropped at the end of an entry. */
const longestPiece = 64 * 1024;

/**
 * The entries of a history in order: prompts, the agent's answers with its tools, and failures. An entry may contain a whole long turn, so it
 * is delivered in pieces, in batches. White space around an entry is dropped.
 */
export async function* historyEntries(
  batches: AsyncIterable<readonly TranscriptEvent[]>,
): AsyncGenerator<readonly EntryPiece[], void> {
  const writer = new EntryWriter();
  for await (const events of batches) yield events.flatMap((event) => writer.take(event));
}

/** Joins events into entries, piece by piece. */
class EntryWriter {
  #role: EntryStart['role'] | undefined;
  /** The id of the last replayed prompt. */
  #messageId: string | null | undefined;
  #isEmpty = true;
  #endsLine = false;
  /** Withheld white space, which may be the end of the entry. */
  #held = '';

  /** The pieces that the event adds. */
  take(event: TranscriptEvent): readonly EntryPiece[] {
    const note = noteOf(event);
    if (note) return [this.#begin(note.role, event.at), ...this.#addAll(note.text)];
    if (isReplayedPrompt(event)) return this.#addPrompt(event);
    if (!isAnswerEvent(event)) return [];
    const begun = this.#role === 'assistant' ? [] : [this.#begin('assistant', event.at)];
    const { update } = event;
    if (update.sessionUpdate === 'agent_message_chunk') return [...begun, ...this.#addAll(contentText(update.content))];
    const lineEnd = this.#isEmpty || this.#endsLine ? '' : '\n';
    return [...begun, ...this.#add(`${lineEnd}[tool: ${update.title}]\n`)];
  }

  /** Adds a part of a replayed prompt. There is one part for each of its content blocks. */
  #addPrompt({ at, update: { content, messageId } }: ReplayedPrompt): readonly EntryPiece[] {
    const isContinued = this.#role === 'user' && messageId !== undefined && messageId === this.#messageId;
    const begun = isContinued ? this.#add('\n') : [this.#begin('user', at)];
    this.#messageId = messageId;
    return [...begun, ...this.#addAll(contentText(content))];
  }

  #begin(role: EntryStart['role'], at: number): EntryStart {
    this.#role = role;
    this.#isEmpty = true;
    this.#endsLine = false;
    this.#held = '';
    return { role, timestamp: new Date(at).toISOString() };
  }

  /** Adds a text in pieces of bounded length. */
  #addAll(said: string): readonly string[] {
    if (said.length <= longestPiece) return this.#add(said);
    const pieces: string[] = [];
    for (let at = 0; at < said.length; at += longestPiece) pieces.push(...this.#add(said.slice(at, at + longestPiece)));
    return pieces;
  }

  #add(said: string): readonly string[] {
    if (said === '') return [];
    this.#endsLine = said.endsWith('\n');
    const text = this.#held + (this.#isEmpty ? said.trimStart() : said);
    if (text !== '') this.#isEmpty = false;
    const shown = text.length > longestPiece && text.trim() === '' ? text : text.trimEnd();
    this.#held = text.slice(shown.length);
    return shown === '' ? [] : [shown];
  }
}

type AnswerEvent = Extract<TranscriptEvent, { type: 'update' }> & {
  readonly update: { readonly sessionUpdate: 'agent_message_chunk' | 'tool_call' };
};

function isAnswerEvent(event: TranscriptEvent): event is AnswerEvent {
  const kind = event.type === 'update' ? event.update.sessionUpdate : undefined;
  return kind === 'agent_message_chunk' || kind === 'tool_call';
}

type ReplayedPrompt = Extract<TranscriptEvent, { type: 'update' }> & {
  readonly update: { readonly sessionUpdate: 'user_message_chunk' };
};

/** Whether an event is a replayed prompt of a session from another client. Prompts of our own sessions are separate events. */
function isReplayedPrompt(event: TranscriptEvent): event is ReplayedPrompt {
  return event.type === 'update' && event.isReplay === true && event.update.sessionUpdate === 'user_message_chunk';
}

function noteOf(event: TranscriptEvent): { readonly role: EntryStart['role']; readonly text: string } | undefined {
  if (event.type === 'prompt') return { role: 'user', text: event.content.map(contentText).join('\n') };
  if (event.type === 'turn-failed' || event.type === 'boundary') return { role: 'notice', text: event.message };
  const isOdd = event.type === 'turn-ended' && event.stopReason !== 'end_turn';
  return isOdd ? { role: 'notice', text: `the turn ended: ${event.stopReason}` } : undefined;
}
