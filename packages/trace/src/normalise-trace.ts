import { isFrame, type PlacedFrame, type Trace } from './trace-format.ts';
import { idKey, wireMessage } from './wire-message.ts';

/** A frame as a line that is equal in every equivalent run. */
export interface NormalFrame {
  /** `→ {"method":…}`, as JSON on one line with sorted keys. */
  readonly line: string;
  /** The location in the trace; for joined chunks that of the first. */
  readonly where: string;
}

/**
 * Normalises a trace for comparisons between runs: without times, with requests numbered from 1 per direction, and with the ids of
 * sessions, messages, tool calls, terminals and others numbered by their first use: `session-1`, `toolCall-2`. Session folders are
 * replaced likewise wherever they occur: `folder-1/file`. Consecutive chunks of a text are joined, because where a text is split has no
 * meaning.
 */
export function normaliseTrace({ header, events }: Trace): readonly NormalFrame[] {
  const names = new Names();
  const frames = events.filter(isFrame).map((event) => ({ event, frame: names.renamed(event, header.side) }));
  const joined: Normal[] = [];
  for (const next of frames) {
    const last = joined.at(-1);
    const together = last && joinedChunks(last, next);
    if (together === undefined) joined.push(next);
    else joined[joined.length - 1] = together;
  }
  return joined.map(({ event, frame }) => ({
    line: `${isFromClient(event, header.side) ? '→' : '←'} ${typeof frame === 'string' ? frame : JSON.stringify(frame)}`,
    where: event.where,
  }));
}

interface Normal {
  readonly event: PlacedFrame;
  readonly frame: unknown;
}

/** Ids of sessions, tool calls and others are recognised by their keys. */
const identifiers = /^(session|toolCall|message|terminal|elicitation|compaction|plan)Id$/;
const times = new Set(['updatedAt', 'lastModified', 'startedAt']);

class Names {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Patterns for the folders of sessions with their names, the innermost first. */
  #folders: readonly (readonly [pattern: RegExp, name: string])[] = [];

  renamed(event: PlacedFrame, side: 'client' | 'agent'): unknown {
    const { kind, id } = wireMessage(event.frame);
    const frame = this.#copy(event.frame, '');
    if (kind !== 'request' && kind !== 'answer') return frame;
    const asker = isFromClient(event, side) === (kind === 'request') ? 'client' : 'agent';
    return { ...(frame as object), id: this.#name(asker, idKey(id)) };
  }

  #copy(value: unknown, key: string): unknown {
    const [, kind] = identifiers.exec(key) ?? [];
    if (typeof value === 'string') {
      if (kind !== undefined) return this.#name(kind, value);
      if (key === 'cwd') this.#learn(value);
      return times.has(key)
        ? '(time)'
        : this.#folders.reduce((text, [pattern, name]) => text.replace(pattern, name), value);
    }
    if (key === 'requestId' && value !== null) return '(request)';
    if (Array.isArray(value)) return value.map((each) => this.#copy(each, key));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries.map(([name, each]) => [name, this.#copy(each, name)]));
  }

  #learn(folder: string): void {
    if (folder.length < 2 || this.#known.has(`folder ${folder}`)) return;
    const name = this.#name('folder', folder);
    const pattern = new RegExp(`(?<![\\w.-])${folder.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w-]|\\.\\w)`, 'g');
    this.#folders = [[pattern, name] as const, ...this.#folders].toSorted(
      ([one], [other]) => other.source.length - one.source.length,
    );
  }

  #name(kind: string, value: string): string {
    const key = `${kind} ${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind}-${count}`;
    this.#known.set(key, name);
    return name;
  }
}

function isFromClient({ direction }: PlacedFrame, side: 'client' | 'agent'): boolean {
  return (direction === 'out') === (side === 'client');
}

interface Chunk {
  readonly params: {
    readonly sessionId: unknown;
    readonly update: {
      readonly sessionUpdate: string;
      readonly content: { readonly type: 'text'; readonly text: string };
    };
  };
}

/** Joins two chunks of the same text; undefined if they are something else. */
function joinedChunks(one: Normal, other: Normal): Normal | undefined {
  if (!isTextChunk(one.frame) || !isTextChunk(other.frame)) return undefined;
  if (JSON.stringify(withText(one.frame, '')) !== JSON.stringify(withText(other.frame, ''))) return undefined;
  const text = one.frame.params.update.content.text + other.frame.params.update.content.text;
  return { event: one.event, frame: withText(one.frame, text) };
}

function isTextChunk(frame: unknown): frame is Chunk {
  const { params } = (typeof frame === 'object' && frame !== null ? frame : {}) as {
    params?: Partial<Chunk['params']> | null;
  };
  const { sessionUpdate, content } = params?.update ?? {};
  const isChunk = typeof sessionUpdate === 'string' && sessionUpdate.endsWith('_chunk');
  return isChunk && content?.type === 'text' && typeof content.text === 'string';
}

function withText(frame: Chunk, text: string): Chunk {
  const { params } = frame;
  const content = { ...params.update.content, text };
  return { ...frame, params: { ...params, update: { ...params.update, content } } };
}
