import { isFrame, type PlacedFrame, type Trace, type TraceEvent, type TraceProblem } from './trace-format.ts';
import { idKey, wireMessage } from './wire-message.ts';

/**
 * A trace as text, one line per event: time, direction, message and size, and for answers how long they took. The lines contain no
 * control characters, so they are safe to print to a terminal.
 */
export function describeTrace({ events, problems }: Trace): readonly string[] {
  const description = new TraceDescription();
  return [
    ...events.map((event) => description.line(event)),
    ...problems.map((problem) => description.problem(problem)),
  ];
}

/** The same, one event at a time, for a trace that is still being written. */
export class TraceDescription {
  /** Requests without an answer so far. */
  readonly #open = new Map<string, PlacedFrame>();

  /** The line of the next event. */
  line(event: TraceEvent): string {
    return visible(`${time(event.at)}  ${isFrame(event) ? frameLine(event, this.#open) : noteLine(event)}`);
  }

  /** The line of a problem in the trace itself. */
  problem({ where, message }: TraceProblem): string {
    return visible(`${''.padStart(timeWidth)}  ! ${where} ${message}`);
  }
}

const timeWidth = 12;

function time(at: number): string {
  return `${at.toFixed(1)} ms`.padStart(timeWidth);
}

function frameLine(event: PlacedFrame, open: Map<string, PlacedFrame>): string {
  const { direction, frame, flaw } = event;
  const arrow = direction === 'in' ? '←' : '→';
  const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
  return `${arrow} ${what(event, open)}  ${size(text.length)}${flaw === undefined ? '' : `, ${flaw}`}`;
}

function what(event: PlacedFrame, open: Map<string, PlacedFrame>): string {
  const { kind, method, id, isError } = wireMessage(event.frame);
  if (kind === 'other') return 'not a message';
  if (kind === 'notification') return `${method}${detail(event.frame)}`;
  if (kind === 'request') {
    open.set(`${event.direction} ${idKey(id)}`, event);
    return `${method} #${String(id)}`;
  }
  const key = `${event.direction === 'in' ? 'out' : 'in'} ${idKey(id)}`;
  const asked = open.get(key);
  open.delete(key);
  const outcome = isError ? `error #${String(id)}` : `answer #${String(id)}`;
  if (asked === undefined) return outcome;
  return `${wireMessage(asked.frame).method} ${outcome} after ${(event.at - asked.at).toFixed(1)} ms`;
}

/** The kind of an update, since most frames are updates; of a state in version 2 also the state and the reason. */
function detail(frame: unknown): string {
  const { params } = frame as { params?: { update?: Readonly<Record<string, unknown>> | null } | null };
  const { sessionUpdate, state, stopReason } = params?.update ?? {};
  const shown = sessionUpdate === 'state_update' ? [sessionUpdate, state, stopReason] : [sessionUpdate];
  return shown.map((each) => (typeof each === 'string' ? ` ${each}` : '')).join('');
}

function noteLine(event: TraceEvent): string {
  const { at: _at, where: _where, ...note } = event;
  const { type, ...fields } = note as { type: string };
  return `· ${type} ${JSON.stringify(fields)}`;
}

function size(characters: number): string {
  return characters < 1000 ? `${characters} B` : `${(characters / 1000).toFixed(1)} KB`;
}

/** Methods and ids may contain control characters of the other side. */
function visible(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return line.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
