import type { TranscriptEvent } from '@turnwire/client/transcript';
import { contentText } from '@turnwire/client/view';

/** The beginning of an entry of a history: a prompt, an answer or a notice. */
interface EntryStart {
  readonly role: 'user' | 'assistant' | 'notice';
  /** ISO 8601. */
  readonly timestamp: string;
}

/** An entry begins, or its text continues. */
export type EntryPiece = EntryStart | string;

/** Longest piece, in characters; also of withheld white space, which is dropped if it turns out to end an entry. */
const longestPiece = 64 * 1024;

/**
 * A history in order: prompts, the agent's answers with the tools it used, and failures. An entry may hold a whole long turn, so it comes in
 * pieces, in batches. White space around an entry is left out.
 */
export async function* historyEntries(
  batches: AsyncIterable<readonly TranscriptEvent[]>,
): AsyncGenerator<readonly EntryPiece[], void> {
  const writer = new EntryWriter();
  for await (const events of batches) yield events.flatMap((event) => writer.take(event));
}

/** Joins events to entries, one piece after the other. */
class EntryWriter {
  #role: EntryStart['role'] | undefined;
  /** Of the replayed prompt that was added last. */
  #messageId: string | null | undefined;
  #isEmpty = true;
  #endsLine = false;
  /** White space that may end the entry. */
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

  /** A prompt that the agent replayed comes in parts, one for each of its contents. */
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

  /** In pieces, so that what is made from them is small as well. */
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

/** What a session began with that was made elsewhere: of others the log has the prompts themselves. */
function isReplayedPrompt(event: TranscriptEvent): event is ReplayedPrompt {
  return event.type === 'update' && event.isReplay === true && event.update.sessionUpdate === 'user_message_chunk';
}

function noteOf(event: TranscriptEvent): { readonly role: EntryStart['role']; readonly text: string } | undefined {
  if (event.type === 'prompt') return { role: 'user', text: event.content.map(contentText).join('\n') };
  if (event.type === 'turn-failed' || event.type === 'boundary') return { role: 'notice', text: event.message };
  const isOdd = event.type === 'turn-ended' && event.stopReason !== 'end_turn';
  return isOdd ? { role: 'notice', text: `the turn ended: ${event.stopReason}` } : undefined;
}
