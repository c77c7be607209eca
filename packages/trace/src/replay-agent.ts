import type { Transport } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { describeStep, type ReplayStep, replaySteps } from './replay-steps.ts';
import type { Trace } from './trace-format.ts';
import { idKey, type WireMessage, wireMessage } from './wire-message.ts';

/** Options of a replay. */
export interface ReplayOptions {
  /** 1 takes as long as the recording, 2 half as long. Absent: as fast as possible. */
  readonly speed?: number | undefined;
  /** Called when the client deviates from the trace. The client receives the same text as an error. */
  readonly onMismatch?: ((message: string) => void) | undefined;
}

/** The result of a replay. */
export interface ReplayEnd {
  readonly mismatches: readonly string[];
  /** What the trace expected next; absent if it was played completely. */
  readonly expected?: string;
}

/**
 * A transport for `attachAgent` that behaves like the agent of a trace. Runs in browsers.
 *
 * Frames of the agent are sent in their recorded order, after the client frames that preceded them. A request of the client is matched by
 * its method in the order of the trace, and receives the recorded answer under its own id; parameters are not compared. Consecutive
 * client frames may arrive in any order. A request that is not expected is answered with an error that names the line and what it
 * expects.
 */
export function replayAgent(trace: Trace, options: ReplayOptions = {}): Transport {
  const [client, agent] = memoryPair();
  void playTrace(trace, agent, options);
  return client;
}

/**
 * Plays the agent of a trace on one end of a transport. Resolves when the client has closed it or the recorded agent exited; never
 * rejects.
 */
export function playTrace(trace: Trace, transport: Transport, options: ReplayOptions = {}): Promise<ReplayEnd> {
  return new Player(replaySteps(trace), transport, options).play();
}

/** The error code for requests that the trace does not contain: invalid request. */
const notInTrace = -32600;

class Player {
  readonly #transport: Transport;
  readonly #options: ReplayOptions;
  readonly #mismatches: string[] = [];
  /** The client's current ids for its recorded requests. */
  readonly #ids = new Map<string, unknown>();
  readonly #steps: readonly ReplayStep[];
  /** Client steps that arrived before earlier steps. */
  readonly #done = new Set<ReplayStep>();
  #next = 0;
  #arrived: readonly WireMessage[] = [];
  #isAdvancing = false;
  #hasNews = false;
  #isOver = false;
  /** The recorded time of the last step. */
  #last = 0;
  #end: () => void = () => undefined;
  #stopWaiting: () => void = () => undefined;

  constructor(steps: readonly ReplayStep[], transport: Transport, options: ReplayOptions) {
    this.#steps = steps;
    this.#transport = transport;
    this.#options = options;
  }

  async play(): Promise<ReplayEnd> {
    const over = new Promise<void>((resolve) => (this.#end = resolve));
    this.#transport.start({
      frame: (text) => this.#receive(text),
      warning: () => undefined,
      end: () => this.#end(),
    });
    void this.#advance();
    await over;
    this.#isOver = true;
    this.#stopWaiting();
    await this.#transport.close();
    const [next] = this.#burst();
    return { mismatches: this.#mismatches, ...(next && { expected: describeStep(next) }) };
  }

  #receive(text: string): undefined {
    const message = wireMessage(parsed(text));
    if (message.kind === 'other' || message.method === '$/cancel_request') return;
    this.#arrived = [...this.#arrived, message];
    void this.#advance();
  }

  async #advance(): Promise<void> {
    this.#hasNews = true;
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    while (this.#hasNews && !this.#isOver) {
      this.#hasNews = false;
      while (!this.#isOver && (await this.#step()));
    }
    this.#isAdvancing = false;
  }

  /** @returns whether there was progress */
  async #step(): Promise<boolean> {
    const step = this.#steps[this.#next];
    if (step === undefined) return this.#refuseAll();
    if (this.#done.delete(step)) return this.#moveOn();
    if (step.from === 'client') return this.#matchBurst() || this.#refuse();
    await this.#pause(step.at);
    if (this.#isOver) return false;
    await this.#speak(step);
    return this.#moveOn();
  }

  #moveOn(): true {
    this.#next++;
    return true;
  }

  async #speak({ frame, message }: ReplayStep): Promise<void> {
    if (frame === undefined) return this.#end();
    if (message.kind !== 'answer') return this.#send(frame);
    const key = idKey(message.id);
    if (!this.#ids.has(key)) return;
    const id = this.#ids.get(key);
    this.#ids.delete(key);
    await this.#send({ ...(frame as object), id });
  }

  async #send(frame: unknown): Promise<void> {
    await this.#transport.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The client frames before the next agent frame, which may arrive in any order. */
  #burst(): readonly ReplayStep[] {
    const burst: ReplayStep[] = [];
    for (let index = this.#next; this.#steps[index]?.from === 'client'; index++)
      burst.push(this.#steps[index] as ReplayStep);
    return burst.filter((step) => !this.#done.has(step));
  }

  #matchBurst(): boolean {
    const burst = this.#burst();
    const arrived = this.#arrived.find((message) => burst.some((step) => isMatch(step, message)));
    const step = arrived && burst.find((each) => isMatch(each, arrived));
    if (arrived === undefined || step === undefined) return false;
    if (arrived.kind === 'request') this.#ids.set(idKey(step.message.id), arrived.id);
    this.#done.add(step);
    this.#forget(arrived);
    this.#last = step.at;
    return true;
  }

  /** Refuses a request that is not expected. If only answers of the client are expected, the request may be early and waits. */
  #refuse(): boolean {
    const burst = this.#burst();
    const wrong = this.#arrived.find(({ kind }) => kind === 'request');
    if (wrong === undefined || burst.every(({ message }) => message.kind === 'answer')) return false;
    const expected = burst.map(describeStep).join(' or ');
    return this.#mismatch(wrong, `The trace has ${expected} here, but the client sent ${wrong.method}`);
  }

  /** After the end of the trace, answers all open requests with an error. */
  #refuseAll(): boolean {
    for (const id of this.#ids.values()) this.#fail(id, 'The trace ends before this request was answered');
    this.#ids.clear();
    const wrong = this.#arrived.find(({ kind }) => kind === 'request');
    return wrong !== undefined && this.#mismatch(wrong, `The trace is over, but the client sent ${wrong.method}`);
  }

  #mismatch(wrong: WireMessage, message: string): true {
    this.#forget(wrong);
    this.#mismatches.push(message);
    this.#options.onMismatch?.(message);
    this.#fail(wrong.id, message);
    return true;
  }

  #fail(id: unknown, message: string): void {
    void this.#send({ jsonrpc: '2.0', id, error: { code: notInTrace, message } });
  }

  #forget(arrived: WireMessage): void {
    this.#arrived = this.#arrived.filter((each) => each !== arrived);
  }

  /** Waits as long as the recorded agent did. */
  async #pause(at: number): Promise<void> {
    const { speed } = this.#options;
    const wait = speed === undefined || speed <= 0 ? 0 : (at - this.#last) / speed;
    this.#last = at;
    if (wait <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.#stopWaiting = () => (clearTimeout(timer), resolve());
    });
  }
}

function isMatch({ message: recorded }: ReplayStep, arrived: WireMessage): boolean {
  if (recorded.kind !== arrived.kind) return false;
  return recorded.kind === 'answer' ? idKey(recorded.id) === idKey(arrived.id) : recorded.method === arrived.method;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
