import { asMessage, at, type JournalEntry, type RawMessage } from '../wire/messages.ts';

export interface Update {
  readonly entry: JournalEntry;
  readonly sessionId: unknown;
  readonly kind: unknown;
  readonly update: RawMessage;
}

export interface Asked {
  readonly entry: JournalEntry;
  readonly params: RawMessage;
}

/** Kinds of updates that are part of a turn: others may come at any time. */
const outputs = ['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan'];

export class Frames {
  readonly #read: () => readonly JournalEntry[];

  constructor(read: () => readonly JournalEntry[]) {
    this.#read = read;
  }

  get entries(): readonly JournalEntry[] {
    return this.#read();
  }

  /** Updates of these kinds, or of any. */
  updates(...kinds: readonly string[]): readonly Update[] {
    return this.#calls((method) => method === 'session/update').flatMap(({ entry, params }) => {
      const update = asMessage(params['update']);
      const kind = update?.['sessionUpdate'];
      const isWanted = kinds.length === 0 || kinds.some((each) => each === kind);
      return update === undefined || !isWanted ? [] : [{ entry, sessionId: params['sessionId'], kind, update }];
    });
  }

  get outputs(): readonly Update[] {
    return this.updates(...outputs);
  }

  get toolReports(): readonly Update[] {
    return this.updates('tool_call', 'tool_call_update');
  }

  /** Diffs, terminals or other content of one type that tool calls show. */
  toolContent(type: string): readonly (RawMessage & { readonly entry: JournalEntry })[] {
    return this.toolReports.flatMap(({ entry, update: { content } }) => {
      const shown = Array.isArray(content) ? content.map(asMessage) : [];
      return shown.flatMap((each) => (each?.['type'] === type ? [{ ...each, entry }] : []));
    });
  }

  /** Whether the agent reports that it ran a command: what a command does with files is not done by a file tool. */
  get hasRunCommand(): boolean {
    return this.toolReports.some(({ update }) => update['kind'] === 'execute');
  }

  get words(): string {
    const texts = this.updates('agent_message_chunk').map(({ update }) => at(update, 'content', 'text'));
    return texts.filter((text) => typeof text === 'string').join('');
  }

  /** The requests of the agent for a method, or for every method of a group such as `fs/`. */
  asked(wanted: string): readonly Asked[] {
    return this.#calls((method) => method === wanted || (wanted.endsWith('/') && method.startsWith(wanted))).filter(
      ({ entry }) => at(entry.message, 'id') !== undefined,
    );
  }

  /** Whether reports of tool calls, or what the agent asks of its client, name something. */
  actsOn(name: string): boolean {
    const acts = [...this.toolReports, ...this.asked('session/'), ...this.asked('fs/')];
    return acts.some(({ entry }) => entry.text.includes(name));
  }

  after(entry: JournalEntry | undefined): Frames {
    return framesOf(entry === undefined ? [] : this.entries.slice(this.entries.indexOf(entry) + 1));
  }

  #calls(fits: (method: string) => boolean): readonly Asked[] {
    return this.entries.flatMap((entry) => {
      const { method, params } = (entry.from === 'agent' ? asMessage(entry.message) : undefined) ?? {};
      return typeof method === 'string' && fits(method) ? [{ entry, params: asMessage(params) ?? {} }] : [];
    });
  }
}

export function framesOf(entries: readonly JournalEntry[]): Frames {
  return new Frames(() => entries);
}
