import { asMessage, at, type JournalEntry, type RawMessage } from '../wire/messages.ts';

export interface Update {
  readonly entry: JournalEntry;
  readonly sessionId: unknown;
  readonly kind: unknown;
  readonly update: RawMessage;
}

export interface AgentRequest {
  readonly entry: JournalEntry;
  readonly params: RawMessage;
}

/** Kinds of updates that belong to a turn: all others may arrive at any time. */
const outputs = [
  ...['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan'],
  // Only in version 2:
  ...['agent_message', 'agent_thought', 'tool_call_content_chunk', 'terminal_update', 'terminal_output_chunk'],
  'plan_update',
];

export class Frames {
  readonly #read: () => readonly JournalEntry[];

  constructor(read: () => readonly JournalEntry[]) {
    this.#read = read;
  }

  get entries(): readonly JournalEntry[] {
    return this.#read();
  }

  /** Updates of these kinds; all if none is named. */
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

  /** Content blocks of one type that tool calls show, such as diffs or terminals. */
  toolContent(type: string): readonly (RawMessage & { readonly entry: JournalEntry })[] {
    return this.toolReports.flatMap(({ entry, update: { content } }) => {
      const shown = Array.isArray(content) ? content.map(asMessage) : [];
      return shown.flatMap((each) => (each?.['type'] === type ? [{ ...each, entry }] : []));
    });
  }

  /** Whether the agent reports that it ran a command. A command may touch files without the file tools. */
  get hasRunCommand(): boolean {
    return this.toolReports.some(({ update }) => update['kind'] === 'execute');
  }

  get words(): string {
    const blocks = this.updates('agent_message_chunk', 'agent_message').flatMap(({ update }) => update['content']);
    const texts = blocks.map((block) => at(block, 'text'));
    return texts.filter((text) => typeof text === 'string').join('');
  }

  /** The agent's requests for a method, or for all methods of a group such as `fs/`. */
  requests(wanted: string): readonly AgentRequest[] {
    return this.#calls((method) => method === wanted || (wanted.endsWith('/') && method.startsWith(wanted))).filter(
      ({ entry }) => at(entry.message, 'id') !== undefined,
    );
  }

  /** Whether a tool call, or a request of the agent to its client, mentions a name. */
  actsOn(name: string): boolean {
    const acts = [...this.toolReports, ...this.requests('session/'), ...this.requests('fs/')];
    return acts.some(({ entry }) => entry.text.includes(name));
  }

  after(entry: JournalEntry | undefined): Frames {
    return framesOf(entry === undefined ? [] : this.entries.slice(this.entries.indexOf(entry) + 1));
  }

  #calls(fits: (method: string) => boolean): readonly AgentRequest[] {
    return this.entries.flatMap((entry) => {
      const { method, params } = (entry.from === 'agent' ? asMessage(entry.message) : undefined) ?? {};
      return typeof method === 'string' && fits(method) ? [{ entry, params: asMessage(params) ?? {} }] : [];
    });
  }
}

export function framesOf(entries: readonly JournalEntry[]): Frames {
  return new Frames(() => entries);
}
