/** A frame between the kit and a launcher: a letter for its kind, and bytes. */
export interface Frame {
  readonly letter: string;
  readonly bytes: Buffer;
}

const headLength = 5;

/** The maximum size of a frame, in bytes: readers join frames of one letter. */
const longest = 256 * 1024;

/** Encodes bytes as one or more frames. */
export function frames(letter: string, bytes: Uint8Array | string = ''): Buffer {
  const body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const parts = [framed(letter, body.subarray(0, longest))];
  for (let from = longest; from < body.length; from += longest)
    parts.push(framed(letter, body.subarray(from, from + longest)));
  return Buffer.concat(parts);
}

function framed(letter: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(headLength);
  head.write(letter, 0, 'latin1');
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer): readonly Frame[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    for (let end = this.#end(); end <= this.#rest.length; end = this.#end()) {
      frames.push({ letter: this.#rest.toString('latin1', 0, 1), bytes: this.#rest.subarray(headLength, end) });
      this.#rest = this.#rest.subarray(end);
    }
    return frames;
  }

  #end(): number {
    return this.#rest.length < headLength ? Infinity : headLength + this.#rest.readUInt32BE(1);
  }
}
