import type { ThreadEvent } from '@agentwire/client/thread';
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

/** What was said, in the order it was: prompts, what the agent said to each with the tools it used, and what went wrong. */
export function entriesOf(events: readonly ThreadEvent[]): readonly HistoryEntry[] {
  const drafts: Draft[] = [];
  const assistant = (at: number): Draft => {
    const last = drafts.at(-1);
    if (last?.role === 'assistant') return last;
    drafts.push({ at, role: 'assistant', text: '' });
    return drafts.at(-1) as Draft;
  };
  for (const event of events) {
    const note = noteOf(event);
    if (event.type === 'update') hear(event, assistant);
    else if (note) drafts.push({ at: event.at, ...note });
  }
  return drafts.map(({ at, role, text }) => ({ role, timestamp: new Date(at).toISOString(), text: text.trim() }));
}

function hear({ at, update }: Extract<ThreadEvent, { type: 'update' }>, assistant: (at: number) => Draft): void {
  if (update.sessionUpdate === 'agent_message_chunk') assistant(at).text += contentText(update.content);
  if (update.sessionUpdate !== 'tool_call') return;
  const draft = assistant(at);
  draft.text += `${draft.text === '' || draft.text.endsWith('\n') ? '' : '\n'}[tool: ${update.title}]\n`;
}

function noteOf(event: ThreadEvent): Pick<Draft, 'role' | 'text'> | undefined {
  if (event.type === 'prompt') return { role: 'user', text: event.content.map(contentText).join('\n') };
  if (event.type === 'turn-failed' || event.type === 'boundary') return { role: 'notice', text: event.message };
  const isOdd = event.type === 'turn-ended' && event.stopReason !== 'end_turn';
  return isOdd ? { role: 'notice', text: `the turn ended: ${event.stopReason}` } : undefined;
}
