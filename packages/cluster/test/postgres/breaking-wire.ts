import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A port that forwards to another one, until a certain text passes: then the connection breaks, once. */
export class BreakingWire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #words: string | undefined;
  #moment: 'before' | 'after' = 'before';
  #hasBroken = false;

  private constructor(target: number) {
    this.#server = createServer((near) => this.#join(near, connect(target, '127.0.0.1')));
  }

  static async to(target: number): Promise<BreakingWire> {
    const wire = new BreakingWire(target);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get hasBroken(): boolean {
    return this.#hasBroken;
  }

  /** Breaks the connection at this text: before it is forwarded, or after, at the answer. */
  breaks(words: string, moment: 'before' | 'after'): void {
    this.#words = words;
    this.#moment = moment;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #join(near: Socket, far: Socket): void {
    let breaksNext = false;
    const cut = (): void => {
      this.#hasBroken = true;
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) this.#sockets.add(socket.on('error', () => undefined));
    near
      .on('close', () => far.destroy())
      .on('data', (bytes: Buffer) => {
        const isMeant = this.#words !== undefined && bytes.includes(this.#words);
        if (isMeant) this.#words = undefined;
        if (isMeant && this.#moment === 'before') return cut();
        breaksNext ||= isMeant;
        far.write(bytes);
      });
    far.on('close', () => near.destroy()).on('data', (bytes: Buffer) => (breaksNext ? cut() : near.write(bytes)));
  }
}
