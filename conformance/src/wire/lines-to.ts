import { LineTap } from '@turnwire/trace/node';
import type { LineReceiver } from './line.ts';

/** Where the bytes of a line go. */
export interface ByteReceiver {
  take(chunk: Buffer): void;
  /** The bytes are over. */
  end(): void;
}

/** Cuts bytes into lines for a receiver, which hears of each what is wrong with its bytes, and of their end. */
export function linesTo(receiver: LineReceiver): ByteReceiver {
  const lines = new LineTap((text, flaw) => receiver.text(text, flaw));
  return {
    take: (chunk) => lines.take(chunk),
    end: () => {
      lines.end();
      receiver.end();
    },
  };
}
