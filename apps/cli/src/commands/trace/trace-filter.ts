import { isFrame, type TraceEvent } from '@agentwire/transports/trace';

/** Which lines of a trace to show; what is absent does not matter. */
export interface TraceFilter {
  /** Only messages of this method, and their answers. `session/*` stands for all that begin so. */
  readonly method?: string | undefined;
  /** Only messages of this session, and their answers. */
  readonly session?: string | undefined;
  readonly direction?: 'in' | 'out' | undefined;
}

interface Facts {
  readonly method: string | undefined;
  readonly session: string | undefined;
}

/** The events that pass. Answers have the method and the session of their requests. What is no message passes only without a filter. */
export function wantedEvents(events: readonly TraceEvent[], filter: TraceFilter): ReadonlySet<TraceEvent> {
  const requests = new Map<string, Facts>();
  const isWanted = (event: TraceEvent): boolean => {
    if (!isFrame(event)) return Object.values(filter).every((each) => each === undefined);
    const facts = factsOf(event.frame, event.direction, requests);
    return (
      (filter.direction === undefined || event.direction === filter.direction) &&
      (filter.method === undefined || fits(facts.method, filter.method)) &&
      (filter.session === undefined || facts.session === filter.session)
    );
  };
  return new Set(events.filter(isWanted));
}

function factsOf(frame: unknown, direction: 'in' | 'out', requests: Map<string, Facts>): Facts {
  const { method, id, params, result } = (frame ?? {}) as Readonly<Record<string, unknown>>;
  const key = (way: string): string => `${way} ${JSON.stringify(id)}`;
  if (typeof method !== 'string') {
    const asked = requests.get(key(direction === 'in' ? 'out' : 'in'));
    return { method: asked?.method, session: asked?.session ?? sessionIn(result) };
  }
  const facts = { method, session: sessionIn(params) };
  if (id !== undefined) requests.set(key(direction), facts);
  return facts;
}

function sessionIn(value: unknown): string | undefined {
  const { sessionId } = (typeof value === 'object' && value !== null ? value : {}) as { sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : undefined;
}

function fits(method: string | undefined, wanted: string): boolean {
  if (wanted.endsWith('*')) return method?.startsWith(wanted.slice(0, -1)) === true;
  return method === wanted;
}
