import type { ThreadEvent } from '@turnwire/client/thread';
import { contentText } from '../../output/content-text.ts';

/** One line of a history: what somebody said or did. */
export interface HistoryEntry {
  readonly role: 'user' | 'assistant' | 'notice';
  /** ISO 8601. */
  readonly timestamp: string;
  readonly text: string;
}

interface Draft {
  readonly at: number;
  readonly role: HistoryEntry['role'];
  text: string;
}

/**
 * What was said, in the order it was: prompts, what the agent said to each with the tools it used, and what went wrong. Holds one
 * entry at a time.
 * @param most about how many characters of the agent's words in an entry are wanted
 */
export async function* historyEntries(
  events: AsyncIterable<ThreadEvent>,
  most: number = Infinity,
): AsyncGenerator<HistoryEntry, void> {
  let draft: Draft | undefined;
  for await (const event of events) {
    const next = begunBy(event, draft);
    if (next && draft) yield entryOf(draft);
    draft = next ?? draft;
    if (draft && event.type === 'update' && draft.text.length < most) hear(event, draft);
  }
  if (draft) yield entryOf(draft);
}

/** The entry that begins with an event, if one does. */
function begunBy(event: ThreadEvent, draft: Draft | undefined): Draft | undefined {
  const isNew = isHeard(event) && draft?.role !== 'assistant';
  return isNew ? { at: event.at, role: 'assistant', text: '' } : noteOf(event);
}

function entryOf({ at, role, text }: Draft): HistoryEntry {
  return { role, timestamp: new Date(at).toISOString(), text: text.trim() };
}

function isHeard(event: ThreadEvent): boolean {
  const kind = event.type === 'update' ? event.update.sessionUpdate : undefined;
  return kind === 'agent_message_chunk' || kind === 'tool_call';
}

function hear({ update }: Extract<ThreadEvent, { type: 'update' }>, draft: Draft): void {
  if (update.sessionUpdate === 'agent_message_chunk') draft.text += contentText(update.content);
  if (update.sessionUpdate !== 'tool_call') return;
  draft.text += `${draft.text === '' || draft.text.endsWith('\n') ? '' : '\n'}[tool: ${update.title}]\n`;
}

function noteOf(event: ThreadEvent): Draft | undefined {
  const { at } = event;
  if (event.type === 'prompt') return { at, role: 'user', text: event.content.map(contentText).join('\n') };
  if (event.type === 'turn-failed' || event.type === 'boundary') return { at, role: 'notice', text: event.message };
  const isOdd = event.type === 'turn-ended' && event.stopReason !== 'end_turn';
  return isOdd ? { at, role: 'notice', text: `the turn ended: ${event.stopReason}` } : undefined;
}
