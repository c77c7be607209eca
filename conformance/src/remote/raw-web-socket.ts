import type { Duplex } from 'node:stream';

/** What a frame is: of the kinds that matter here. */
export const opcodes = { text: 1, binary: 2, close: 8 } as const;

/** A frame that arrived. */
export interface ArrivedFrame {
  readonly opcode: number;
  readonly text: string;
}

/** A WebSocket by hand, frame by frame. */
export class RawWebSocket {
  readonly #socket: Duplex;
  readonly #waiting = new Set<() => void>();
  readonly frames: ArrivedFrame[] = [];
  #rest: Buffer<ArrayBufferLike>;
  isOver = false;

  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    this.#rest = head;
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isOver = true;
      this.#wake();
    });
    this.#read(Buffer.alloc(0));
  }

  send(opcode: number, payload: string): void {
    this.#socket.write(frameOf(opcode, Buffer.from(payload)));
  }

  /** Sends the first bytes of a frame with a text, and cuts the connection. */
  async cutAfter(bytes: number, text: string): Promise<void> {
    const frame = frameOf(opcodes.text, Buffer.from(text)).subarray(0, bytes);
    await new Promise<void>((resolve) => this.#socket.write(frame, () => resolve()));
    this.#socket.destroy();
  }

  /** Resolves with the first frame that fits; with undefined if none came within so many milliseconds, or the connection ended. */
  find(fits: (frame: ArrivedFrame) => boolean, milliseconds: number): Promise<ArrivedFrame | undefined> {
    return new Promise((resolve) => {
      const settle = (frame: ArrivedFrame | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(frame);
      };
      const look = (): void => {
        const found = this.frames.find((frame) => fits(frame));
        if (found !== undefined || this.isOver) settle(found);
      };
      const timer = setTimeout(() => settle(undefined), milliseconds);
      this.#waiting.add(look);
      look();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    let rest: Buffer<ArrayBufferLike> = Buffer.concat([this.#rest, bytes]);
    for (let next = firstFrame(rest); next !== undefined; next = firstFrame(rest)) {
      this.frames.push(next.frame);
      rest = next.rest;
    }
    this.#rest = rest;
    this.#wake();
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }
}

/** A masked frame, as clients send it. The mask is all zeroes, which changes nothing. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

function firstFrame(bytes: Buffer): { readonly frame: ArrivedFrame; readonly rest: Buffer } | undefined {
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < head + length) return undefined;
  const text = bytes.subarray(head, head + length).toString();
  return { frame: { opcode: first & 0x0f, text }, rest: bytes.subarray(head + length) };
}
