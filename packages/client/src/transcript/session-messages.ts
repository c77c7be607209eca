import type { SessionMessage, SessionMessageChunk } from '@turnwire/protocol';
import { joined } from './messages.ts';
import { appended, type NewEntry, remember, replaced, type Transcript } from './transcript.ts';
import type { SessionMessageEntry } from './transcript-view.ts';

/** Applies a report on a message between sessions. Absent means unchanged; null removes the content. */
export function withSessionMessage(transcript: Transcript, message: SessionMessage, at: number): Transcript {
  const { messageId, senderSessionId, recipientSessionId, content } = message;
  return changed(transcript, { messageId, at }, (entry) => ({
    ...entry,
    ...(senderSessionId && { from: nameOf(transcript, senderSessionId) }),
    ...(recipientSessionId && { to: nameOf(transcript, recipientSessionId) }),
    ...(content !== undefined && { content: content ?? [] }),
  }));
}

/** Appends a chunk of the content. */
export function withSessionMessageChunk(
  transcript: Transcript,
  { messageId, content }: SessionMessageChunk,
  at: number,
): Transcript {
  return changed(transcript, { messageId, at }, (entry) => ({ ...entry, content: joined(entry.content, content) }));
}

type Fields = NewEntry<SessionMessageEntry>;

function changed(
  transcript: Transcript,
  { messageId, at }: { readonly messageId: string; readonly at: number },
  change: (fields: Fields) => Fields,
): Transcript {
  const { messages, sessionStart } = transcript.memory;
  const id = `session ${messageId}`;
  const index = messages.get(id);
  const known = index === undefined || index < sessionStart ? undefined : transcript.entries.at(index);
  if (index !== undefined && known?.type === 'session-message')
    return replaced(transcript, index, { ...change(known), key: known.key });
  const begun = appended(transcript, change({ type: 'session-message', at, messageId, content: [] }));
  return remember(begun, { messages: messages.with(id, transcript.entries.length) });
}

function nameOf({ memory, entries }: Transcript, sessionId: string): string {
  const index = memory.children.get(sessionId);
  const entry = index === undefined ? undefined : entries.at(index);
  const title = entry?.type === 'child-session' && entry.sessionId === sessionId ? entry.title : undefined;
  return title ?? sessionId;
}
