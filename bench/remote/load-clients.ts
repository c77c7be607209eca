import type { SessionNotification } from '@turnwire/protocol';
import { WebSocket } from 'ws';
import { initializeRequest, newSessionRequest } from '../wire/script.ts';
import { textLength } from '../wire/updates.ts';

/** Clients that connect at the same time. */
const atOnce = 200;
/** Each session receives these updates in turn: see updates.ts. */
const poolSize = 16;

/** Bare WebSocket clients that count what they receive. */
export class LoadClients {
  readonly #timeout: number;
  #received = 0;
  #wrong: string | undefined;
  #closed = 0;

  /** @param timeout how long no update may arrive before the missing ones are reported, in milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Connects `count` clients, each with a session. */
  async connect(port: number, count: number): Promise<void> {
    let next = 0;
    const oneAfterAnother = async (): Promise<void> => {
      while (next++ < count) await this.#connectOne(port);
    };
    await Promise.all(Array.from({ length: atOnce }, oneAfterAnother));
  }

  /** Waits for `count` updates in total. Throws if one is missing, unexpected or out of order, or if a client was disconnected. */
  async untilReceived(count: number): Promise<void> {
    for (let seen = -1, quiet = performance.now(); this.#received < count;) {
      if (this.#received !== seen) [seen, quiet] = [this.#received, performance.now()];
      if (performance.now() - quiet > this.#timeout) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    // Surplus updates arrive immediately after the last expected one.
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (this.#closed > 0) throw new Error(`${this.#closed} connections were cut off`);
    if (this.#wrong !== undefined) throw new Error(this.#wrong);
    if (this.#received !== count) throw new Error(`${this.#received} of ${count} updates were received`);
  }

  async #connectOne(port: number): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { perMessageDeflate: false });
    socket.once('close', () => this.#closed++);
    let updates = 0;
    await new Promise<void>((resolve, reject) => {
      const ask = (id: number, method: string, params: object): void =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      socket.once('error', reject);
      socket.once('open', () => ask(0, 'initialize', initializeRequest));
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as {
          readonly id?: number;
          readonly result?: object;
          readonly params: SessionNotification;
        };
        if (message.id === undefined) return this.#count(message.params, updates++);
        if (message.result === undefined) return reject(new Error(`request ${message.id} was refused`));
        if (message.id === 0) ask(1, 'session/new', newSessionRequest);
        else resolve();
      });
    });
  }

  #count({ update }: SessionNotification, index: number): void {
    this.#received++;
    const { text } = (update as { readonly content: { readonly text: string } }).content;
    if (textLength(update) > 2 && Number(text.slice(0, 2)) === index % poolSize) return;
    this.#wrong ??= `update ${index} of a session begins with ${text.slice(0, 2)}, not ${index % poolSize}`;
  }
}
