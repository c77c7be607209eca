import type { Duplex } from 'node:stream';
import { batch } from './batch.ts';

/** Bytes of a text up to which the head is joined to it: for a longer text that would cost another copy. */
const short = 16 * 1024;

/**
 * Writes text messages of a server (RFC 6455 §5.2: whole, not masked) to the socket of a WebSocket. `ws` would make two buffers and two writes of
 * each, which is a third of the cost of a short message. Frames that `ws` writes itself, pings and the closing frame, stay in one piece between ours.
 */
export function textWriter(wire: Duplex): (text: string) => void {
  return (text) => {
    const bytes = Buffer.byteLength(text);
    batch(wire);
    // For ASCII text, characters and bytes are the same.
    if (bytes === text.length && bytes <= short) return void wire.write(headOf(bytes) + text, 'latin1');
    wire.write(headOf(bytes), 'latin1');
    wire.write(text, 'utf8');
  };
}

/** The head of a text message, with one character for each byte. */
function headOf(bytes: number): string {
  if (bytes < 126) return String.fromCharCode(0x81, bytes);
  if (bytes < 2 ** 16) return String.fromCharCode(0x81, 126, bytes >> 8, bytes & 0xff);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes));
  return String.fromCharCode(0x81, 127, ...length);
}
