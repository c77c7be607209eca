import type { Transport } from '@turnwire/protocol';

/** The commands that the contract sends to the other end. Any other frame is sent back unchanged. */
export type Order =
  | { readonly do: 'burst'; readonly count: number; readonly size: number }
  | { readonly do: 'hold'; readonly milliseconds: number }
  | { readonly do: 'count' }
  | { readonly do: 'close' }
  | { readonly do: 'mute' };

export function order(order: Order): string {
  return JSON.stringify(order);
}

/** Thousands of frames share this text, because creating it for each would take longer than sending it. */
let filler = '';

export function burstFrame(index: number, size: number): string {
  if (filler.length !== size) filler = 'x'.repeat(size);
  return JSON.stringify({ index, text: filler });
}

/**
 * The other end of the contract: runs commands, echoes other frames, and sends a report when its receiver has ended.
 * @returns the number of frames received, after the end
 */
export function runFarEnd(transport: Transport): Promise<number> {
  let received = 0;
  let isMute = false;
  const frame = (text: string): Promise<void> | undefined => {
    received += 1;
    const command = readOrder(text);
    if (command?.do === 'hold') return new Promise((resolve) => setTimeout(resolve, command.milliseconds));
    if (command?.do === 'burst') sendBurst(transport, command.count, command.size);
    else if (command?.do === 'count') void transport.send(JSON.stringify({ received }));
    else if (command?.do === 'close') void transport.close();
    else if (command?.do === 'mute') isMute = true;
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
