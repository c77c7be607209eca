import type { ChildSessionEntry, TranscriptEntry, TranscriptView } from '../transcript/transcript-view.ts';
import { cleanLine } from '../unseen-characters/clean-text.ts';
import { messageText } from './content-text.ts';
import { turnEndText } from './turn-end-text.ts';

/** A child session as every surface shows it, folded or with its transcript. Texts are as received. */
export interface ChildBlock {
  readonly type: 'child-session';
  readonly sessionId: string;
  /** Never empty. */
  readonly title: string;
  readonly description?: string;
  /** `running`, `finished`, or why it ended; a clause. */
  readonly stateText: string;
  readonly isOver: boolean;
  readonly isFailure: boolean;
  /** The title of its last tool call, or the last line of its last message. Empty before its first. */
  readonly lastLine: string;
  /** The agent can cancel it separately, now. */
  readonly canCancel: boolean;
  readonly transcript: TranscriptView;
}

/** Returns the facts of a child session that every surface shows. */
export function childBlock(entry: ChildSessionEntry): ChildBlock {
  const { sessionId, title = '', description, transcript, error } = entry;
  const isOver = isChildOver(entry);
  return {
    type: 'child-session',
    sessionId,
    title: cleanLine(title) === '' ? sessionId : title,
    ...(description && { description }),
    stateText: stateText(entry),
    isOver,
    isFailure: error !== undefined || entry.stopReason === 'error',
    lastLine: lastLine(transcript),
    canCancel: entry.canCancel && !isOver,
    transcript,
  };
}

/** Whether a child session has ended its work. */
export function isChildOver({ state }: ChildSessionEntry): boolean {
  return state === 'idle';
}

function stateText({ state, stopReason, error }: ChildSessionEntry): string {
  if (state === undefined) return 'state unknown';
  if (state === 'requires_action') return 'waiting for you';
  if (state !== 'idle') return 'running';
  if (stopReason === undefined) return 'idle';
  if (stopReason === 'cancelled') return 'cancelled';
  return error ?? turnEndText(stopReason) ?? 'finished';
}

/** The number of last entries that are searched for a line to show. */
const mostSearched = 16;

function lastLine({ entries }: TranscriptView): string {
  const last = entries.slice(entries.length - mostSearched).findLast((entry) => lineOf(entry) !== '');
  return last === undefined ? '' : lineOf(last);
}

function lineOf(entry: TranscriptEntry): string {
  if (entry.type === 'tool-call') return cleanLine(entry.title);
  if (entry.type !== 'agent') return '';
  return messageText(entry).trimEnd().split('\n').at(-1)?.trim() ?? '';
}
