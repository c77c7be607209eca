import type { JournalEntry, RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';

/** A `session/update` and its content. */
export interface Update {
  readonly entry: JournalEntry;
  readonly sessionId: unknown;
  readonly kind: unknown;
  readonly update: RawMessage;
}

/** A request of an agent to its client. */
export interface Asked {
  readonly entry: JournalEntry;
  readonly params: RawMessage;
}

/** Kinds of updates that are part of a turn: others may come at any time. */
const outputs: ReadonlySet<unknown> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

export function updatesIn(entries: readonly JournalEntry[]): readonly Update[] {
  return entries.flatMap((entry) => {
    const message = entry.from === 'agent' ? asMessage(entry.message) : undefined;
    const params = message?.['method'] === 'session/update' ? asMessage(message['params']) : undefined;
    const update = asMessage(params?.['update']);
    return update === undefined
      ? []
      : [{ entry, sessionId: params?.['sessionId'], kind: update['sessionUpdate'], update }];
  });
}

/** Updates with results of a turn: messages, thoughts, tool calls, plans. */
export function outputsIn(entries: readonly JournalEntry[]): readonly Update[] {
  return updatesIn(entries).filter(({ kind }) => outputs.has(kind));
}

/** Reports of tool calls, first ones and later ones. */
export function toolReportsIn(entries: readonly JournalEntry[]): readonly Update[] {
  return updatesIn(entries).filter(({ kind }) => kind === 'tool_call' || kind === 'tool_call_update');
}

/** Whether the agent reports that it ran a command: what a command does with files is not done by a file tool. */
export function hasRunCommand(entries: readonly JournalEntry[]): boolean {
  return toolReportsIn(entries).some(({ update }) => update['kind'] === 'execute');
}

/** What the agent said, in one text. */
export function wordsIn(entries: readonly JournalEntry[]): string {
  return updatesIn(entries)
    .filter(({ kind }) => kind === 'agent_message_chunk')
    .map(({ update }) => asMessage(update['content'])?.['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

/** The requests of the agent for a method, or for every method of a group such as `fs/`. */
export function askedIn(entries: readonly JournalEntry[], method: string): readonly Asked[] {
  return entries.flatMap((entry) => {
    const message = entry.from === 'agent' ? asMessage(entry.message) : undefined;
    const said = message?.['method'];
    const isIt = said === method || (typeof said === 'string' && method.endsWith('/') && said.startsWith(method));
    return isIt && message?.['id'] !== undefined ? [{ entry, params: asMessage(message?.['params']) ?? {} }] : [];
  });
}

/** Whether reports of tool calls, or what the agent asks of its client, name something. */
export function isActedOn(entries: readonly JournalEntry[], name: string): boolean {
  const acts = [...toolReportsIn(entries), ...askedIn(entries, 'session/'), ...askedIn(entries, 'fs/')];
  return acts.some(({ entry }) => entry.text.includes(name));
}

/** Every object in a list; nothing if it is none. */
export function objectsIn(value: unknown): readonly RawMessage[] {
  return Array.isArray(value) ? value.map(asMessage).filter((each) => each !== undefined) : [];
}

export function entriesOf(all: readonly { readonly entry: JournalEntry }[]): readonly JournalEntry[] {
  return all.map(({ entry }) => entry);
}
