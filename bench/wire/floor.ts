import type { BenchClient, ByteStreams, Contender } from './contender.ts';
import { floorAgent, floorClient, type FloorPeer, type Write } from './floor-peer.ts';

const newline = 0x0a;
/** Characters at which a batch is written before its tick ends. */
const batchText = 64 * 1024;

/** Texts as lines over a pair of streams: one write a tick. */
class FloorLines {
  readonly #output: ByteStreams['output'];
  #receive: (line: string) => void = () => undefined;
  #rest: Buffer[] = [];
  #batch: string[] = [];
  #batchSize = 0;
  #isDue = false;
  #room: Promise<void> | undefined;

  constructor(output: ByteStreams['output']) {
    this.#output = output;
  }

  start(input: ByteStreams['input'], receive: (line: string) => void): void {
    this.#receive = receive;
    input.on('data', this.#read);
  }

  /** A returned promise is backpressure: it resolves when more may be written. */
  readonly write = (text: string): Promise<void> | undefined => {
    this.#batch.push(text);
    this.#batchSize += text.length;
    if (this.#batchSize >= batchText) this.#flush();
    else if (!this.#isDue) {
      this.#isDue = true;
      process.nextTick(this.#flush);
    }
    return this.#room;
  };

  readonly #flush = (): void => {
    this.#isDue = false;
    if (this.#batchSize === 0 || this.#room !== undefined) return;
    this.#batch.push('');
    const text = this.#batch.join('\n');
    this.#batch = [];
    this.#batchSize = 0;
    if (!this.#output.write(text)) this.#room = this.#drained();
  };

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#output.once('drain', () => {
        this.#room = undefined;
        this.#flush();
        resolve();
      });
    });
  }

  readonly #read = (chunk: Buffer): void => {
    const last = chunk.lastIndexOf(newline);
    if (last === -1) return void this.#rest.push(chunk);
    const first = this.#rest.length === 0 ? -1 : chunk.indexOf(newline);
    if (first >= 0) this.#receive(Buffer.concat([...this.#rest, chunk.subarray(0, first)]).toString());
    this.#rest = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
    const lines = chunk.toString('utf8', first + 1, last + 1);
    for (let start = 0, end; start < lines.length; start = end + 1) {
      end = lines.indexOf('\n', start);
      this.#receive(lines.slice(start, end));
    }
  };
}

/** A peer over a pair of streams. */
export function floorOver({ input, output }: ByteStreams, make: (write: Write) => FloorPeer): FloorPeer {
  const lines = new FloorLines(output);
  const peer = make(lines.write);
  lines.start(input, (line) => peer.receive(line));
  return peer;
}

function connect({ input, output }: ByteStreams, onUpdate: Parameters<Contender['connect']>[1]): BenchClient {
  const lines = new FloorLines(output);
  const { client, peer } = floorClient(lines.write, onUpdate);
  lines.start(input, (line) => peer.receive(line));
  return client;
}

function serve(bytes: ByteStreams): void {
  floorOver(bytes, floorAgent);
}

export const floor: Contender = {
  serve,
  connect,
  serveStdio: () => serve({ input: process.stdin, output: process.stdout }),
};
