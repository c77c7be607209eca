import type { Transport } from '@turnwire/protocol';
import { describeStep, type ReplayStep, replaySteps } from './replay-steps.ts';
import type { KnownFrame, Trace } from './trace-format.ts';
import { idKey, type WireMessage, wireMessage } from './wire-message.ts';

/** Options of a replay as the client. */
export interface ClientReplayOptions {
  /** Timeout in milliseconds for each recorded action of the agent. Default 60,000. */
  readonly timeout?: number | undefined;
  /** Called when the agent deviates from the trace. */
  readonly onDifference?: ((message: string) => void) | undefined;
}

/** The result of a replay as the client. */
export interface ClientReplayEnd {
  /** Deviations of the agent; empty if there are none. Updates are not compared. */
  readonly differences: readonly string[];
  /** All frames as the client saw them, to compare with the trace. */
  readonly frames: readonly KnownFrame[];
}

/**
 * Replays the client of a trace: sends the recorded client frames in order. Before each frame it waits for the agent's answers and
 * requests that preceded it, and for one of the preceding notifications, if any. It uses its own request ids, and replaces recorded
 * session ids with the current ones. Requests of the agent that the trace does not contain are answered with an error.
 *
 * Ends when everything was sent and answered, when the agent is gone, or after a timeout. Never rejects.
 */
export function replayClient(
  trace: Trace,
  transport: Transport,
  options: ClientReplayOptions = {},
): Promise<ClientReplayEnd> {
  return new ClientPlayer(replaySteps(trace), transport, options).play();
}

/** The error code for requests that the recorded client did not receive: method not found. */
const notInTrace = -32601;

interface Arrival {
  readonly message: WireMessage;
  readonly frame: unknown;
}

class ClientPlayer {
  readonly #steps: readonly ReplayStep[];
  readonly #transport: Transport;
  readonly #options: ClientReplayOptions;
  readonly #differences: string[] = [];
  readonly #frames: KnownFrame[] = [];
  readonly #began = performance.now();
  /** Our request ids by the recorded ones. */
  readonly #ours = new Map<string, number>();
  /** The agent's current request ids by the recorded ones. */
  readonly #theirs = new Map<string, unknown>();
  /** Current session ids by the recorded ones. */
  readonly #names = new Map<string, string>();
  #arrived: readonly Arrival[] = [];
  /** The index of the current step. */
  #index = 0;
  #nextId = 0;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(steps: readonly ReplayStep[], transport: Transport, options: ClientReplayOptions) {
    this.#steps = steps;
    this.#transport = transport;
    this.#options = options;
  }

  async play(): Promise<ClientReplayEnd> {
    this.#transport.start({
      frame: (text) => this.#receive(text),
      warning: ({ excerpt = '' }) => this.#differ(`The agent wrote something that is not a frame: ${excerpt}`),
      end: () => {
        this.#hasEnded = true;
        this.#wake();
      },
    });
    for (const [index, step] of this.#steps.entries()) {
      this.#index = index;
      if (!(await this.#step(step, this.#steps[index - 1]))) break;
    }
    this.#index = this.#steps.length;
    await this.#refuseOthers();
    await this.#transport.close();
    return { differences: this.#differences, frames: this.#frames };
  }

  #receive(text: string): undefined {
    this.#record('in', text);
    const frame = parsed(text);
    this.#arrived = [...this.#arrived, { frame, message: wireMessage(frame) }];
    this.#wake();
  }

  /** @returns whether the replay can continue */
  async #step(step: ReplayStep, before: ReplayStep | undefined): Promise<boolean> {
    if (step.frame === undefined) return false;
    if (step.from === 'client') return this.#speak(step, before);
    if (step.message.kind === 'answer') return this.#expectAnswer(step);
    return step.message.kind === 'request' ? this.#expectRequest(step) : true;
  }

  async #speak(step: ReplayStep, before: ReplayStep | undefined): Promise<boolean> {
    // A cancel, for example, was sent after the client had seen an update.
    if (before?.from === 'agent' && before.message.kind === 'notification')
      await this.#take(({ kind, method }) => kind === 'notification' && method === before.message.method);
    const { kind, id } = step.message;
    const frame = this.#renamed(step.frame) as Record<string, unknown>;
    if (kind === 'notification') return this.#send(this.#withRequestId(frame));
    if (kind === 'answer') return this.#send({ ...frame, id: this.#theirs.get(idKey(id)) });
    this.#ours.set(idKey(id), this.#nextId);
    return this.#send({ ...frame, id: this.#nextId++ });
  }

  async #expectAnswer(step: ReplayStep): Promise<boolean> {
    const id = this.#ours.get(idKey(step.message.id));
    if (id === undefined) return true;
    const found = await this.#take((message) => message.kind === 'answer' && idKey(message.id) === idKey(id));
    if (found === undefined) return this.#miss(step);
    const { isError } = found.message;
    if (isError !== step.message.isError)
      this.#differ(
        `${step.where} has ${step.message.isError ? 'an error' : 'a result'}, but the agent now sent ${isError ? 'an error' : 'a result'}`,
      );
    this.#learn(step.frame, found.frame);
    return true;
  }

  async #expectRequest(step: ReplayStep): Promise<boolean> {
    const { method, id } = step.message;
    const found = await this.#take((message) => message.kind === 'request' && message.method === method);
    if (found === undefined) return this.#miss(step);
    this.#theirs.set(idKey(id), found.message.id);
    return true;
  }

  /** Waits for the first matching frame and removes it from the arrived ones. */
  async #take(fits: (message: WireMessage) => boolean): Promise<Arrival | undefined> {
    const until = performance.now() + (this.#options.timeout ?? 60_000);
    for (;;) {
      const found = this.#arrived.find(({ message }) => fits(message));
      if (found !== undefined) {
        this.#arrived = this.#arrived.filter((each) => each !== found);
        return found;
      }
      const known = this.#frames.length;
      await this.#refuseOthers();
      // More frames may have arrived in the meantime.
      if (this.#frames.length > known) continue;
      const left = until - performance.now();
      if (this.#hasEnded || left <= 0) return undefined;
      await this.#nextArrival(left);
    }
  }

  async #nextArrival(within: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, within);
      this.#wake = () => (clearTimeout(timer), resolve());
    });
  }

  #miss(step: ReplayStep): false {
    const why = this.#hasEnded ? 'the agent is gone' : 'it did not arrive in time';
    const what =
      step.message.kind === 'answer'
        ? `the answer to request ${String(step.message.id)} (${step.where})`
        : describeStep(step);
    this.#differ(`The trace has ${what} here, but ${why}`);
    return false;
  }

  /** Refuses all other requests of the agent, which would otherwise wait forever. */
  async #refuseOthers(): Promise<void> {
    if (this.#arrived.every(({ message }) => message.kind !== 'request')) return;
    const left = this.#steps.slice(this.#index);
    const asked = new Set(left.filter(({ from }) => from === 'agent').map(({ message }) => message.method));
    const others = this.#arrived.filter(({ message }) => message.kind === 'request' && !asked.has(message.method));
    this.#arrived = this.#arrived.filter((each) => !others.includes(each));
    for (const { message } of others) {
      this.#differ(`The agent called ${message.method}, which is not in the trace`);
      const error = { code: notInTrace, message: 'The recorded client did not receive this request' };
      if (!this.#hasEnded) await this.#send({ jsonrpc: '2.0', id: message.id, error });
    }
  }

  /** Records the new id of a session by the recorded one. */
  #learn(recorded: unknown, now: unknown): void {
    const was = resultOf(recorded)['sessionId'];
    const is = resultOf(now)['sessionId'];
    if (typeof was === 'string' && typeof is === 'string') this.#names.set(`sessionId ${was}`, is);
  }

  #renamed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#renamed(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' ? (this.#names.get(`${key} ${each}`) ?? each) : this.#renamed(each),
    ]);
    return Object.fromEntries(entries);
  }

  /** Replaces the id in `$/cancel_request`, which names one of our requests. */
  #withRequestId(frame: Record<string, unknown>): Record<string, unknown> {
    const params = frame['params'] as { requestId?: unknown } | undefined;
    const id = params?.requestId === undefined ? undefined : this.#ours.get(idKey(params.requestId));
    return id === undefined ? frame : { ...frame, params: { ...params, requestId: id } };
  }

  async #send(frame: unknown): Promise<boolean> {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    this.#record('out', text);
    await this.#transport.send(text);
    return !this.#hasEnded || this.#arrived.length > 0;
  }

  #record(direction: 'in' | 'out', text: string): void {
    this.#frames.push({ at: performance.now() - this.#began, direction, text });
  }

  #differ(message: string): void {
    this.#differences.push(message);
    this.#options.onDifference?.(message);
  }
}

function resultOf(frame: unknown): { readonly [key: string]: unknown } {
  const { result } = (frame ?? {}) as { result?: unknown };
  return typeof result === 'object' && result !== null ? (result as { [key: string]: unknown }) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
