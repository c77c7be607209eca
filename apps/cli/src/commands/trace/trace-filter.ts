import { isFrame, type TraceEvent } from '@turnwire/trace';

/** The filter for lines of a trace. Absent fields match everything. */
export interface TraceFilter {
  /** Only messages of this method, and their answers. `session/*` matches every method with this prefix. */
  readonly method?: string | undefined;
  /** Only messages of this session, and their answers. */
  readonly session?: string | undefined;
  /** Only the request of this id and its answer, in either direction. */
  readonly id?: string | undefined;
  readonly direction?: 'in' | 'out' | undefined;
}

interface Facts {
  readonly method: string | undefined;
  readonly session: string | undefined;
}

/** Decides which events match a filter. An answer has the method and the session of its request. */
export class WantedEvents {
  readonly #filter: TraceFilter;
  readonly #requests = new Map<string, Facts>();
  /** Whether any filter is set. Events that are not messages match only without filters. */
  readonly isFiltering: boolean;

  constructor({ method, session, id, direction }: TraceFilter) {
    this.#filter = { method, session, id, direction };
    this.isFiltering = Object.values(this.#filter).some((each) => each !== undefined);
  }

  /** Whether an event matches. Must be called for every event in order. */
  has(event: TraceEvent): boolean {
    if (!isFrame(event)) return !this.isFiltering;
    const { method, session, id, direction } = this.#filter;
    const facts = this.#factsOf(event.frame, event.direction);
    return (
      (direction === undefined || event.direction === direction) &&
      (method === undefined || fits(facts.method, method)) &&
      (session === undefined || facts.session === session) &&
      (id === undefined || String((event.frame as { id?: unknown } | null)?.id) === id)
    );
  }

  #factsOf(frame: unknown, direction: 'in' | 'out'): Facts {
    const { method, id, params, result } = (frame ?? {}) as Readonly<Record<string, unknown>>;
    const key = (way: string): string => `${way} ${JSON.stringify(id)}`;
    if (typeof method !== 'string') {
      const asked = this.#requests.get(key(direction === 'in' ? 'out' : 'in'));
      return { method: asked?.method, session: asked?.session ?? sessionIn(result) };
    }
    const facts = { method, session: sessionIn(params) };
    if (id !== undefined) this.#requests.set(key(direction), facts);
    return facts;
  }
}

function sessionIn(value: unknown): string | undefined {
  const { sessionId } = (typeof value === 'object' && value !== null ? value : {}) as { sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : undefined;
}

function fits(method: string | undefined, wanted: string): boolean {
  if (wanted.endsWith('*')) return method?.startsWith(wanted.slice(0, -1)) === true;
  return method === wanted;
}
