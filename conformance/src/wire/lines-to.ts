import { LineTap } from '@turnwire/trace/node';
import type { LineReceiver } from './line.ts';

export interface ByteReceiver {
  take(chunk: Buffer): void;
  end(): void;
}

/** Splits bytes into lines for a receiver, with encoding errors and the end. */
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
