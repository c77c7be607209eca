import type { ContentBlock, SessionUpdate, ToolCallUpdate } from '@turnwire/protocol';
import type {
  MessageEntry,
  TranscriptEntry,
  TranscriptEvent,
  TranscriptView,
  ToolCallEntry,
} from '@turnwire/client/transcript';
import { emptyTranscript, reduceAll } from '@turnwire/client/transcript';

/** Events in tests have no time, which is 0. */
export type Timeless = TranscriptEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'at'>
    : never
  : never;

export function viewOf(...events: readonly Timeless[]): TranscriptView {
  return after(emptyTranscript(), ...events);
}

export function after(view: TranscriptView, ...events: readonly Timeless[]): TranscriptView {
  return reduceAll(
    view,
    events.map((event) => ({ at: 0, ...event }) as TranscriptEvent),
  );
}

export function text(words: string): ContentBlock {
  return { type: 'text', text: words };
}

export function prompt(words: string, turnId = 'turn'): Timeless {
  return { type: 'prompt', turnId, content: [text(words)] };
}

export function ended(stopReason = 'end_turn', turnId = 'turn'): Timeless {
  return { type: 'turn-ended', turnId, stopReason };
}

export function update(fields: object): Timeless {
  return { type: 'update', update: fields as SessionUpdate };
}

export function replayed(fields: object): Timeless {
  return { type: 'update', update: fields as SessionUpdate, isReplay: true };
}

export function said(words: string, messageId?: string | null): Timeless {
  return update(chunk('agent', words, messageId));
}

export function chunk(who: 'agent' | 'user', words: string, messageId?: string | null): object {
  return { sessionUpdate: `${who}_message_chunk`, content: text(words), ...(messageId !== undefined && { messageId }) };
}

export function thought(words: string, messageId?: string): Timeless {
  const id = messageId !== undefined && { messageId };
  return update({ sessionUpdate: 'agent_thought_chunk', content: text(words), ...id });
}

export function begun(toolCallId: string, fields: Partial<ToolCallUpdate> = {}): Timeless {
  return update({ sessionUpdate: 'tool_call', toolCallId, title: toolCallId, ...fields });
}

export function changed(toolCallId: string, fields: Partial<ToolCallUpdate>): Timeless {
  return update({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });
}

/** The content of a view in a form that is easy to compare: `agent: hello`, `call run: completed`. */
export function shown(view: TranscriptView): readonly string[] {
  return [...view.entries].map(line);
}

function line(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'user':
    case 'agent':
    case 'thought':
      return `${entry.type}: ${words(entry)}`;
    case 'tool-call':
      return `call ${entry.title}: ${entry.state}`;
    case 'turn-end':
      return `end: ${entry.stopReason ?? entry.error}`;
    case 'boundary':
      return `boundary: ${entry.reason}`;
    case 'notice':
      return `notice from the ${entry.from}: ${entry.title}`;
    case 'plan':
      return `plan: ${entry.entries.map(({ content }) => content).join(', ')}`;
    case 'child-session':
      return `child ${entry.title}: ${entry.state}`;
    case 'session-message':
      return `message to ${entry.to}`;
    case 'compaction':
      return `compaction: ${entry.status}`;
    case 'unknown':
      return `unknown: ${entry.update.sessionUpdate}`;
  }
}

function words({ content }: MessageEntry): string {
  return content.map((block) => (block.type === 'text' ? String(block.text) : `[${block.type}]`)).join('|');
}

/** The entry of a call. */
export function callIn(view: TranscriptView, toolCallId: string): ToolCallEntry {
  const entry = view.entries.at(view.toolCallIndex(toolCallId) ?? -1);
  if (entry?.type !== 'tool-call') throw new Error(`there is no call ${toolCallId}`);
  return entry;
}
