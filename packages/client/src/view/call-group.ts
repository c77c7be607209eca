import type { ToolCallEntry, TranscriptEntry } from '../transcript/transcript-view.ts';
import { callTime } from './times.ts';

/** Neighbouring tool calls and thoughts that need no attention, in one line. */
export interface CallGroup {
  /** A summary without a full stop: `Read 4 files, ran 1 command`. */
  readonly text: string;
  /** The time in which at least one call ran, in milliseconds. */
  readonly time: number;
  /** The number of calls that changed something without asking, in a mode that asks. */
  readonly unasked: number;
}

/**
 * Whether an entry continues the group of the entry before it. A group contains ended thoughts, and calls that succeeded without a diff: calls that
 * run, wait, failed or show a change are never part of one. Calls of different parents are in different groups.
 */
export function continuesGroup(before: TranscriptEntry | undefined, entry: TranscriptEntry): boolean {
  return before !== undefined && isQuiet(before) && isQuiet(entry) && parentOf(before) === parentOf(entry);
}

/** Returns the line for the entries of a group. */
export function callGroup(entries: readonly TranscriptEntry[]): CallGroup {
  const calls = entries.filter((entry) => entry.type === 'tool-call');
  const parts = [...countsOf(entries)].map(([kind, count]) => wordsOf(kind, count)).join(', ');
  return {
    text: `${parts.charAt(0).toUpperCase()}${parts.slice(1)}`,
    time: busyTime(calls),
    unasked: calls.filter(({ ranUnasked }) => ranUnasked !== undefined).length,
  };
}

function isQuiet(entry: TranscriptEntry): boolean {
  if (entry.type === 'thought') return !entry.isOpen;
  return entry.type === 'tool-call' && isQuietCall(entry);
}

function isQuietCall({ state, permission, exitCode, content }: ToolCallEntry): boolean {
  const isFailed = typeof exitCode === 'number' && exitCode !== 0;
  const isAsked = permission?.state === 'asked';
  return state === 'completed' && !isFailed && !isAsked && !content.some(({ type }) => type === 'diff');
}

function parentOf(entry: TranscriptEntry): string | undefined {
  return entry.type === 'tool-call' ? entry.parentKey : undefined;
}

/** The numbers of things done, by kind, in the order in which each kind first occurs. A file that was read twice counts once. */
function countsOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, number> {
  const things = new Map<string, Set<string>>();
  for (const entry of entries) {
    const kind = kindOf(entry);
    if (kind === undefined) continue;
    const known = things.get(kind) ?? new Set();
    for (const thing of thingsOf(entry, kind)) known.add(thing);
    things.set(kind, known);
  }
  return new Map([...things].map(([kind, { size }]) => [kind, size]));
}

function kindOf(entry: TranscriptEntry): string | undefined {
  if (entry.type === 'thought') return 'think';
  if (entry.type !== 'tool-call') return undefined;
  if (entry.command !== undefined) return 'execute';
  return Object.hasOwn(words, entry.kind) ? entry.kind : 'other';
}

function thingsOf(entry: TranscriptEntry, kind: string): readonly string[] {
  const isFile = entry.type === 'tool-call' && kind === 'read' && entry.locations.length > 0;
  return isFile ? entry.locations.map(({ path }) => path) : [entry.key];
}

const words: Readonly<Record<string, readonly [one: string, more: string] | undefined>> = {
  think: ['thought', 'thought # times'],
  read: ['read 1 file', 'read # files'],
  search: ['searched', 'searched # times'],
  execute: ['ran 1 command', 'ran # commands'],
  fetch: ['fetched 1 page', 'fetched # pages'],
  edit: ['changed 1 file', 'changed # files'],
  delete: ['deleted 1 file', 'deleted # files'],
  move: ['moved 1 file', 'moved # files'],
  other: ['used 1 tool', 'used # tools'],
};

function wordsOf(kind: string, count: number): string {
  const [one, more] = words[kind] ?? [kind, kind];
  return count === 1 ? one : more.replace('#', String(count));
}

/** Calls that ran at once count once. */
function busyTime(calls: readonly ToolCallEntry[]): number {
  let [time, until] = [0, 0];
  for (const call of calls) {
    const length = callTime(call, call.endedAt ?? call.at) ?? 0;
    const start = call.answeredAt ?? call.at;
    time += Math.max(0, start + length - Math.max(start, until));
    until = Math.max(until, start + length);
  }
  return time;
}
