import type { Duplex } from 'node:stream';
import { Arrivals } from '../wire/waiters.ts';

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A received frame. A message in several frames arrives as one, after its last frame. */
export interface ArrivedFrame {
  readonly opcode: number;
  readonly text: string;
}

type WireFrame = { readonly isLast: boolean; readonly opcode: number; readonly payload: Buffer };

/** Options of a hand-written WebSocket. */
export interface RawWebSocketOptions {
  /** Bytes that arrived together with the upgrade. */
  readonly head: Buffer;
  /** Whether this is the server's end. Default: the client's, which must mask its frames. */
  readonly isServer?: boolean;
  /** Called with each frame. */
  readonly onFrame?: (frame: ArrivedFrame) => void;
}

/** A WebSocket at the level of frames. */
export class RawWebSocket {
  readonly #socket: Duplex;
  readonly #isServer: boolean;
  readonly #onFrame: (frame: ArrivedFrame) => void;
  readonly #arrived = new Arrivals<ArrivedFrame>();
  #rest: Buffer<ArrayBufferLike>;
  /** The frames of a message that is not complete yet. */
  #begun: WireFrame[] = [];

  constructor(socket: Duplex, { head, isServer = false, onFrame = () => undefined }: RawWebSocketOptions) {
    this.#socket = socket;
    this.#isServer = isServer;
    this.#onFrame = onFrame;
    this.#rest = head;
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#arrived.end());
    // The creator must be able to finish its set-up before it receives frames that came with the upgrade.
    setImmediate(() => this.#read(Buffer.alloc(0)));
  }

  send(opcode: number, payload: string): void {
    if (!this.#socket.destroyed) this.#socket.write(this.#frameOf(opcode, Buffer.from(payload)));
  }

  /** Sends the first bytes of a text frame, then drops the connection. */
  async cutAfter(bytes: number, text: string): Promise<void> {
    const frame = this.#frameOf(opcodes.text, Buffer.from(text)).subarray(0, bytes);
    await new Promise<void>((resolve) => this.#socket.write(frame, () => resolve()));
    this.#socket.destroy();
  }

  get frames(): readonly ArrivedFrame[] {
    return this.#arrived.all;
  }

  /** Resolves with the first matching frame; with undefined after the limit in milliseconds, or when the connection ends. */
  find(fits: (frame: ArrivedFrame) => boolean, milliseconds: number): Promise<ArrivedFrame | undefined> {
    return this.#arrived.find(fits, milliseconds);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    let rest: Buffer<ArrayBufferLike> = Buffer.concat([this.#rest, bytes]);
    for (let next = firstFrame(rest); next !== undefined; next = firstFrame(rest)) {
      rest = next.rest;
      this.#join(next.frame);
    }
    this.#rest = rest;
  }

  /** Joins the frames of a message. Control frames may arrive between them. */
  #join(frame: WireFrame): void {
    if (frame.opcode >= opcodes.close) return this.#take(frame.opcode, frame.payload);
    this.#begun.push(frame);
    if (!frame.isLast) return;
    const [{ opcode } = frame] = this.#begun;
    const payload = Buffer.concat(this.#begun.map((each) => each.payload));
    this.#begun = [];
    this.#take(opcode, payload);
  }

  #take(opcode: number, payload: Buffer): void {
    const frame = { opcode, text: payload.toString() };
    this.#arrived.add(frame);
    this.#onFrame(frame);
  }

  /** Encodes a frame. The mask of a client is zero, which leaves the payload unchanged. */
  #frameOf(opcode: number, payload: Buffer): Buffer {
    const head = Buffer.alloc(10);
    head[0] = 0x80 | opcode;
    if (this.#isServer && payload.length < 126) {
      head[1] = payload.length;
      return Buffer.concat([head.subarray(0, 2), payload]);
    }
    head[1] = (this.#isServer ? 0 : 0x80) | 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
    return Buffer.concat([head, Buffer.alloc(this.#isServer ? 0 : 4), payload]);
  }
}

function firstFrame(bytes: Buffer): { readonly frame: WireFrame; readonly rest: Buffer } | undefined {
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const lengthEnd = { 126: 4, 127: 10 }[short] ?? 2;
  const head = lengthEnd + (second > 0x7f ? 4 : 0);
  if (bytes.length < head) return undefined;
  const length = short < 126 ? short : bytes.readUIntBE(short === 126 ? 2 : 4, short === 126 ? 2 : 6);
  if (bytes.length < head + length) return undefined;
  const mask = bytes.subarray(lengthEnd, head);
  const masked = bytes.subarray(head, head + length);
  const payload = mask.length === 0 ? masked : Buffer.from(masked.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { frame: { isLast: first > 0x7f, opcode: first & 0x0f, payload }, rest: bytes.subarray(head + length) };
}
