import type { Transport } from '@turnwire/protocol';

/** What the contract can ask of the other end. Anything else is sent back as it came. */
export type Order =
  | { readonly do: 'burst'; readonly count: number; readonly size: number }
  | { readonly do: 'hold'; readonly milliseconds: number }
  | { readonly do: 'count' }
  | { readonly do: 'close' }
  | { readonly do: 'mute' };

export function order(order: Order): string {
  return JSON.stringify(order);
}

/** Thousands of frames have the same text: made for each, it would take longer than to send it. */
let filler = '';

export function burstFrame(index: number, size: number): string {
  if (filler.length !== size) filler = 'x'.repeat(size);
  return JSON.stringify({ index, text: filler });
}

/**
 * The other end of the contract: obeys orders, sends back the rest, and reports after its receiver has ended.
 * @returns how many frames it received, once it has ended
 */
export function runFarEnd(transport: Transport): Promise<number> {
  let received = 0;
  let isMute = false;
  const frame = (text: string): Promise<void> | undefined => {
    received += 1;
    const asked = readOrder(text);
    if (asked?.do === 'hold') return new Promise((resolve) => setTimeout(resolve, asked.milliseconds));
    if (asked?.do === 'burst') sendBurst(transport, asked.count, asked.size);
    else if (asked?.do === 'count') void transport.send(JSON.stringify({ received }));
    else if (asked?.do === 'close') void transport.close();
    else if (asked?.do === 'mute') isMute = true;
    else if (!isMute) void transport.send(text);
    return undefined;
  };
  return new Promise((resolve) => {
    transport.start({
      frame,
      warning: (report) => void transport.send(JSON.stringify(report)),
      end: () => {
        void transport.send(JSON.stringify({ ended: true, received }));
        void transport.close();
        resolve(received);
      },
    });
  });
}

function readOrder(text: string): Order | undefined {
  return text.startsWith('{"do":') ? (JSON.parse(text) as Order) : undefined;
}

function sendBurst(transport: Transport, count: number, size: number): void {
  for (let index = 0; index < count; index += 1) void transport.send(burstFrame(index, size));
}
