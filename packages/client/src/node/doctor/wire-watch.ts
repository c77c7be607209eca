import type { LogEntry, TransportWarning } from '@turnwire/protocol';
import { type ExaminedLayer, examinedLayers, type Finding } from './finding.ts';

/** The maximum number of different reports that are stored, because an agent may make any number of mistakes. */
const mostViolations = 20;
/** The maximum number of answers that are remembered. */
const mostAnswers = 1_000;

interface Violation {
  readonly layer: ExaminedLayer;
  readonly message: string;
  readonly advice: string;
  count: number;
}

interface WatchedMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly protocolVersion?: unknown } | null;
  readonly error?: { readonly data?: { readonly supported?: unknown } | null } | null;
}

/** Observes an agent's messages, and records protocol violations. */
export class WireWatch {
  readonly #methods = new Map<unknown, string>();
  readonly #answered = new Set<unknown>();
  #violations = new Map<string, Violation>();
  #noise = { lines: 0, bytes: 0, excerpt: '' };
  #hasAskedToBegin = false;
  /** The requested versions of the protocol, in order. */
  readonly asked: number[] = [];
  /** The versions that the agent has, if it refused one and named them. */
  supported: readonly unknown[] | undefined;
  /** The layer of reports that do not concern a particular method. */
  layer: ExaminedLayer = 'initialize';

  readonly tap = (direction: 'in' | 'out', frame: string): void => {
    const message = parsed(frame);
    if (typeof message !== 'object' || message === null) return;
    if (direction === 'out') this.#sent(message);
    else this.#received(message);
  };

  /** Whether it sent `initialize`, which no agent does: it is a program that echoes its input. */
  get isEcho(): boolean {
    return this.#hasAskedToBegin;
  }

  readonly onWarning = ({ kind, bytes, excerpt = '' }: TransportWarning): void => {
    if (kind !== 'noise') return this.#record(this.layer, unreadable[kind], `${excerpt.slice(0, 60)}…`);
    const { lines, bytes: before, excerpt: first } = this.#noise;
    this.#noise = { lines: lines + 1, bytes: before + bytes, excerpt: lines === 0 ? excerpt : first };
  };

  readonly log = ({ level, event, method, detail }: LogEntry): void => {
    const about = method === undefined ? '' : ` (${method})`;
    if (event === 'an answer was repaired' || event === 'a message was repaired')
      this.#record(
        layerOf(method) ?? this.layer,
        `A message that does not conform to the protocol was repaired${about}`,
        detail,
      );
    else if (level === 'warn' && event.endsWith('was dropped'))
      this.#record(
        layerOf(method) ?? this.layer,
        `A message does not conform to the protocol: ${event}${about}`,
        detail,
      );
  };

  /** The reports since the last call, about the layers up to this one. */
  takeViolations(last: ExaminedLayer): readonly Finding[] {
    const isDue = ({ layer }: Violation): boolean => examinedLayers.indexOf(layer) <= examinedLayers.indexOf(last);
    const all = [...this.#violations];
    this.#violations = new Map(all.filter(([, violation]) => !isDue(violation)));
    const due = all.map(([, violation]) => violation).filter(isDue);
    return due.map(({ layer, message, advice, count }) => ({
      layer,
      verdict: 'warning',
      message: count > 1 ? `${message} (${count} times)` : message,
      advice,
    }));
  }

  /** The noise since the last call. */
  takeNoise(): { readonly lines: number; readonly bytes: number; readonly excerpt: string } {
    const noise = this.#noise;
    this.#noise = { lines: 0, bytes: 0, excerpt: '' };
    return noise;
  }

  #sent({ id, method, params }: WatchedMessage): void {
    if (method === 'initialize') this.asked.push(params?.protocolVersion as number);
    if (id !== undefined && typeof method === 'string') this.#methods.set(id, method);
  }

  #received(message: WatchedMessage): void {
    const { id, method, error } = message;
    if (method === 'initialize') this.#hasAskedToBegin = true;
    const { supported } = error?.data ?? {};
    if (Array.isArray(supported)) this.supported = supported;
    if (id !== undefined && ('result' in message || 'error' in message)) this.#answer(id);
  }

  #answer(id: unknown): void {
    const method = this.#methods.get(id);
    if (method === undefined)
      return this.#record(this.layer, 'It answered a request that was not sent', JSON.stringify(id));
    if (this.#answered.has(id)) this.#record(layerOf(method) ?? this.layer, `It answered ${method} more than once`);
    else if (this.#answered.size < mostAnswers) this.#answered.add(id);
  }

  #record(layer: ExaminedLayer, what: string, detail: string = ''): void {
    const message = detail === '' ? `${what}.` : `${what}: ${detail}.`;
    const known = this.#violations.get(message);
    if (known) known.count++;
    else if (this.#violations.size < mostViolations)
      this.#violations.set(message, {
        layer,
        message,
        advice: 'It is harmless here. Report it to its authors: other clients may fail on it.',
        count: 1,
      });
  }
}

const unreadable = {
  oversize: 'It sent a message that is too long, which was skipped',
  truncated: 'Its last message was cut off',
  refused: 'Its server did not accept a notification',
} as const;

const layers = new Map<string, ExaminedLayer>([
  ['initialize', 'initialize'],
  ['session/new', 'session'],
  ['session/prompt', 'turn'],
]);

function layerOf(method: string | undefined): ExaminedLayer | undefined {
  return method === undefined ? undefined : layers.get(method);
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}
