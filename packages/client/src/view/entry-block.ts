import type { ContentBlock, PlanEntry, UnknownVariant } from '@turnwire/protocol';
import type {
  BoundaryEntry,
  ChildSessionEntry,
  NoticeEntry,
  Plan,
  SessionMessageEntry,
  TerminalView,
  TranscriptEntry,
  TurnEndEntry,
} from '../transcript/transcript-view.ts';
import { type CallBlock, callBlock } from './call-block.ts';
import { type ChildBlock, childBlock } from './child-block.ts';
import { turnEndText } from './turn-end-text.ts';

/** The user's own words, as typed. */
export interface PromptBlock {
  readonly type: 'prompt';
  readonly content: readonly ContentBlock[];
}

/** A message or a thought of the agent, in Markdown. */
export interface MessageBlock {
  readonly type: 'message' | 'thought';
  readonly content: readonly ContentBlock[];
  /** Whether more may follow. */
  readonly isOpen: boolean;
}

/** A plan of a turn. */
export interface PlanBlock {
  readonly type: 'plan';
  readonly steps: readonly PlanEntry[];
  /** A plan without steps: its text in Markdown, or a link to its file. */
  readonly text?: string;
}

/** A message from one session to another. */
export interface SessionMessageBlock {
  readonly type: 'session-message';
  /** Its sender and its recipient; a clause. */
  readonly heading: string;
  readonly content: readonly ContentBlock[];
}

/** A message to the user that is not part of the conversation. */
export interface NoticeBlock {
  readonly type: 'notice';
  readonly severity: 'info' | 'warning' | 'error' | (string & {});
  readonly title: string;
  readonly description?: string;
}

/** A line across the conversation. */
export interface BoundaryBlock {
  readonly type: 'boundary';
  readonly text: string;
  /** `warning`: the agent does not know the entries above. */
  readonly severity: 'info' | 'warning';
  /** The user caused it, so a surface may leave it out. */
  readonly isExpected: boolean;
}

/** The end of a turn. */
export interface TurnEndBlock {
  readonly type: 'turn-end';
  /** The reason and the advice, as a clause without a full stop; of a failed turn the error as received. Absent: the agent completed the turn. */
  readonly text?: string;
  readonly isFailure: boolean;
}

/** An update of a kind that this version does not know. */
export interface UnknownBlock {
  readonly type: 'unknown';
  /** Names its kind; a clause. */
  readonly text: string;
  readonly update: UnknownVariant<'sessionUpdate'>;
}

/** An entry as data for a surface. Texts of agents are as received: the surface must remove or escape control characters. */
export type Block =
  | PromptBlock
  | MessageBlock
  | CallBlock
  | PlanBlock
  | ChildBlock
  | SessionMessageBlock
  | NoticeBlock
  | BoundaryBlock
  | TurnEndBlock
  | UnknownBlock;

/**
 * Turns an entry into the block that every surface draws in its own way. The compiler reports entries that this switch forgets, and blocks that a
 * surface forgets.
 */
export function entryBlock(entry: TranscriptEntry, terminals: ReadonlyMap<string, TerminalView>): Block {
  switch (entry.type) {
    case 'user':
      return { type: 'prompt', content: entry.content };
    case 'agent':
      return { type: 'message', content: entry.content, isOpen: entry.isOpen };
    case 'thought':
      return { type: 'thought', content: entry.content, isOpen: entry.isOpen };
    case 'tool-call':
      return callBlock(entry, terminals);
    case 'plan':
      return planBlock(entry);
    case 'notice':
      return noticeBlock(entry);
    case 'boundary':
      return boundaryBlock(entry);
    case 'compaction':
      return { type: 'boundary', text: `context compacted (${entry.status})`, severity: 'info', isExpected: false };
    case 'turn-end':
      return turnEndBlock(entry);
    case 'unknown': {
      const text = `an update of an unknown kind: ${entry.update.sessionUpdate}`;
      return { type: 'unknown', text, update: entry.update };
    }
    default:
      return otherSessionBlock(entry);
  }
}

/** The block of an entry about another session. */
function otherSessionBlock(entry: ChildSessionEntry | SessionMessageEntry): ChildBlock | SessionMessageBlock {
  if (entry.type === 'child-session') return childBlock(entry);
  return { type: 'session-message', heading: messageHeading(entry), content: entry.content };
}

/** A plan as every surface shows it. */
export function planBlock({ entries, markdown, uri }: Plan): PlanBlock {
  const text = markdown ?? (uri === undefined ? undefined : `[${uri}](${uri})`);
  return { type: 'plan', steps: entries, ...(text !== undefined && { text }) };
}

function messageHeading({ from, to }: SessionMessageEntry): string {
  const ends = [...(from === undefined ? [] : [`from ${from}`]), ...(to === undefined ? [] : [`to ${to}`])];
  return ends.length === 0 ? 'a message between sessions' : `a message ${ends.join(' ')}`;
}

function noticeBlock({ severity, title, description }: NoticeEntry): NoticeBlock {
  return { type: 'notice', severity, title, ...(description && { description }) };
}

function boundaryBlock({ reason, message }: BoundaryEntry): BoundaryBlock {
  const severity = reason === 'context-lost' ? 'warning' : 'info';
  return { type: 'boundary', text: message, severity, isExpected: reason === 'loaded' };
}

function turnEndBlock({ stopReason, error }: TurnEndEntry): TurnEndBlock {
  const text = error ?? turnEndText(stopReason);
  return { type: 'turn-end', ...(text !== undefined && { text }), isFailure: error !== undefined };
}

/** A notice in one line: `Title: description`. */
export function noticeText({
  title,
  description,
}: {
  readonly title: string;
  readonly description?: string | null | undefined;
}): string {
  const what = title.trim();
  return description ? `${what}${/[.:!?]$/.test(what) ? '' : ':'} ${description}` : what;
}
