import type { Transport } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { describeStep, type ReplayStep, replaySteps } from './replay-steps.ts';
import type { Trace } from './trace-format.ts';
import { idKey, type WireMessage, wireMessage } from './wire-message.ts';

/** How to play a trace. */
export interface ReplayOptions {
  /** 1 takes as long as it took, 2 half as long. Absent: as fast as it goes. */
  readonly speed?: number | undefined;
  /** Hears where the client did something else than the trace has. The client gets the same as an error. */
  readonly onMismatch?: ((message: string) => void) | undefined;
}

/** How a replay ended. */
export interface ReplayEnd {
  readonly mismatches: readonly string[];
  /** What the trace would have had next; absent if all of it was played. */
  readonly expected?: string;
}

/**
 * The agent of a trace: a transport for `attachAgent` at whose other end somebody answers as the recorded agent did. Runs in browsers.
 *
 * The agent's frames come where they stood: after the client's that were before them. A request of the client is matched by its
 * method, in the order of the trace, and gets the recorded answer under its own id; parameters are not compared. Client frames that stood next to each other may
 * come in any order. A request that is not the next one is answered with an error that names the line and what it expects.
 */
export function replayAgent(trace: Trace, options: ReplayOptions = {}): Transport {
  const [client, agent] = memoryPair();
  void playTrace(trace, agent, options);
  return client;
}

/** Plays the agent of a trace at the given end of a wire. Resolves when the client has closed it, or the recorded agent ended; never rejects. */
export function playTrace(trace: Trace, transport: Transport, options: ReplayOptions = {}): Promise<ReplayEnd> {
  return new Player(replaySteps(trace), transport, options).play();
}

/** The error for what the trace does not have: the request is not valid here. */
const notInTrace = -32600;

class Player {
  readonly #transport: Transport;
  readonly #options: ReplayOptions;
  readonly #mismatches: string[] = [];
  /** Recorded ids of the client's requests, and what the client calls them now. */
  readonly #ids = new Map<string, unknown>();
  readonly #steps: readonly ReplayStep[];
  /** Steps of the client that came before others that stood before them. */
  readonly #done = new Set<ReplayStep>();
  #next = 0;
  #arrived: readonly WireMessage[] = [];
  #isAdvancing = false;
  #hasNews = false;
  #isOver = false;
  /** When the last step was, in the time of the trace. */
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

  /** @returns whether something moved */
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

  /** The client's frames up to the agent's next, which may come in any order. */
  #burst(): readonly ReplayStep[] {
    const burst: ReplayStep[] = [];
    for (let place = this.#next; this.#steps[place]?.from === 'client'; place++)
      burst.push(this.#steps[place] as ReplayStep);
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

  /** A request that is not among the next ones. While the client only owes answers, it may be early, and waits. */
  #refuse(): boolean {
    const burst = this.#burst();
    const wrong = this.#arrived.find(({ kind }) => kind === 'request');
    if (wrong === undefined || burst.every(({ message }) => message.kind === 'answer')) return false;
    const expected = burst.map(describeStep).join(' or ');
    return this.#mismatch(wrong, `The trace has ${expected} here, but the client sent ${wrong.method}`);
  }

  /** The trace is over: every request still waiting for an answer gets an error. */
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
