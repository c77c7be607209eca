import { isFrame, type PlacedFrame, type Trace, type TraceEvent, type TraceProblem } from './trace-format.ts';
import { idKey, wireMessage } from './wire-message.ts';

/**
 * A trace for people, a line for each of its lines: when, which way, what, how large, and for answers how long they took. The texts
 * hold no control characters, so they may meet a terminal.
 */
export function describeTrace({ events, problems }: Trace): readonly string[] {
  const description = new TraceDescription();
  return [
    ...events.map((event) => description.line(event)),
    ...problems.map((problem) => description.problem(problem)),
  ];
}

/** The same, line by line: of a trace that is still being written. */
export class TraceDescription {
  /** Requests without an answer yet. */
  readonly #open = new Map<string, PlacedFrame>();

  /** The next event, in order. */
  line(event: TraceEvent): string {
    return visible(`${time(event.at)}  ${isFrame(event) ? frameLine(event, this.#open) : noteLine(event)}`);
  }

  /** What is wrong with the trace itself: where, and what. */
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

/** Which update it is, since most frames are updates. */
function detail(frame: unknown): string {
  const { params } = frame as { params?: { update?: { sessionUpdate?: unknown } | null } | null };
  const kind = params?.update?.sessionUpdate;
  return typeof kind === 'string' ? ` ${kind}` : '';
}

function noteLine(event: TraceEvent): string {
  const { at: _at, where: _where, ...note } = event;
  const { type, ...fields } = note as { type: string };
  return `· ${type} ${JSON.stringify(fields)}`;
}

function size(characters: number): string {
  return characters < 1000 ? `${characters} B` : `${(characters / 1000).toFixed(1)} KB`;
}

/** Methods and ids come from the other side. */
function visible(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return line.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
