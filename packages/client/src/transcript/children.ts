import { type SubagentUpdate, turnwireMeta } from '@turnwire/protocol';
import { settled } from './tool-calls.ts';
import { appendedBeside, emptyTranscript, remember, replaced, type Transcript } from './transcript.ts';
import type { TranscriptEvent } from './transcript-event.ts';
import type { ChildSessionEntry } from './transcript-view.ts';

/** Applies a report on a child session. Absent means unchanged, null means not reported. */
export function withChild(before: Transcript, update: SubagentUpdate, at: number): Transcript {
  const { sessionId, state } = update;
  const transcript = state === undefined ? before : withOpen(before, sessionId, state?.state);
  const known = childAt(transcript, sessionId);
  if (known?.entry.sessionId === sessionId) return replaced(transcript, known.index, changed(known.entry, update, at));
  const blank = {
    type: 'child-session',
    key: '',
    at,
    sessionId,
    canCancel: false,
    transcript: emptyTranscript(),
  } as const;
  const { key: _, ...entry } = changed(blank, update, at);
  return withIndex(appendedBeside(transcript, entry), sessionId, transcript.entries.length);
}

function withOpen(transcript: Transcript, sessionId: string, state: string | undefined): Transcript {
  const others = transcript.openChildren.filter((id) => id !== sessionId);
  const isOpen = state !== undefined && state !== 'idle';
  return { ...transcript, openChildren: isOpen ? [...others, sessionId] : others };
}

/** An event of a child session. */
export type ChildEvent = Extract<
  TranscriptEvent,
  { readonly type: 'child-update' | 'permission-asked' | 'permission-answered' }
> & { readonly child: string };

/** Applies an event of a child session, or of a session that a child has started. Ignores one of a session that was not announced. */
export function withChildEvent(
  transcript: Transcript,
  event: ChildEvent,
  after: (inside: Transcript, event: TranscriptEvent) => Transcript,
): Transcript {
  const known = childAt(transcript, event.child);
  if (known === undefined) return transcript;
  const { index, entry } = known;
  const inside = after(entry.transcript as Transcript, entry.sessionId === event.child ? ownEvent(event) : event);
  const next = replaced(transcript, index, { ...entry, transcript: inside });
  const update = event.type === 'child-update' ? event.update : undefined;
  if (update?.sessionUpdate !== 'subagent_update' || childAt(next, update.sessionId)) return next;
  return withIndex(next, update.sessionId, index);
}

/** The event as the child itself has it. */
function ownEvent({ child: _, ...event }: ChildEvent): TranscriptEvent {
  return event.type === 'child-update' ? { ...event, type: 'update' } : event;
}

function childAt(
  { memory, entries }: Transcript,
  sessionId: string,
): { readonly index: number; readonly entry: ChildSessionEntry } | undefined {
  const index = memory.children.get(sessionId);
  const entry = index === undefined || index < memory.sessionStart ? undefined : entries.at(index);
  return index !== undefined && entry?.type === 'child-session' ? { index, entry } : undefined;
}

function withIndex(transcript: Transcript, sessionId: string, index: number): Transcript {
  return remember(transcript, { children: transcript.memory.children.with(sessionId, index) });
}

function changed(before: ChildSessionEntry, update: SubagentUpdate, at: number): ChildSessionEntry {
  const { title: oldTitle, description: oldDescription, ...entry } = before;
  const { title = oldTitle, description = oldDescription, capabilities, state, _meta } = update;
  const { child: name = before.name } = turnwireMeta<'child session'>(_meta);
  return {
    ...(state === undefined ? entry : withState(entry, state, at)),
    ...(typeof name === 'string' && { name }),
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(capabilities !== undefined && { canCancel: Boolean(capabilities?.cancel) }),
  };
}

type Reported = NonNullable<SubagentUpdate['state']>;

/** A state replaces the earlier one as a whole. The calls of an idle session have ended. */
function withState(before: ChildSessionEntry, reported: Reported | null, at: number): ChildSessionEntry {
  const { state: _, stopReason: __, error: ___, ...entry } = before;
  if (reported === null) return entry;
  const { state, stopReason, error } = reported as {
    readonly state: string;
    readonly stopReason?: string | null;
    readonly error?: { readonly message: string } | null;
  };
  const isCancelled = stopReason === 'cancelled';
  return {
    ...entry,
    state,
    ...(stopReason && { stopReason }),
    ...(error && { error: error.message }),
    ...(state === 'idle' && {
      transcript: settled(entry.transcript as Transcript, isCancelled ? 'cancelled' : 'abandoned', at),
    }),
  };
}
