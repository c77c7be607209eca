import { createServer, type Server, type Socket } from 'node:net';
import { connectAgent, type HandlerContext, ProtocolError } from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import { Subscriber } from './subscriber.ts';
import { type Hello, longestMessage, hostProtocol, type HostStatus, type PromptOrder } from './host-protocol.ts';
import type { HostedSession } from './hosted-session.ts';
import { PromptJob } from './prompt-job.ts';
import { toWire } from './wire-errors.ts';

/** What a session host serves with. */
export interface HostServerParts {
  readonly session: HostedSession;
  readonly token: string;
  /** A command connected, disconnected, or set a new limit. */
  readonly onChange: (ttl?: number) => void;
  /** A command asks the session host to end. */
  readonly onEnd: () => void;
}

const startedAt = new Date().toISOString();

/** Serves commands on a socket, each on a connection of its own. */
export class HostServer {
  readonly #parts: HostServerParts;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(parts: HostServerParts) {
    this.#parts = parts;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** How many commands are connected. */
  get connections(): number {
    return this.#sockets.size;
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    });
  }

  /** Accepts no more commands. Running requests are still answered. */
  close(): void {
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#parts.onChange();
    });
    const transport = stdioTransport({ input: socket, output: socket, maxFrameBytes: longestMessage });
    connectAgent(transport, this.#handlers(), { gates: false, limits: { drain: 0 } });
    this.#parts.onChange();
  }

  #handlers(): Record<`_${string}`, (params: unknown, context: HandlerContext<'agent'>) => unknown> {
    let isKnown = false;
    const { session } = this.#parts;
    const known =
      <Order>(handle: (order: Order, context: HandlerContext<'agent'>) => unknown) =>
      async (params: unknown, context: HandlerContext<'agent'>): Promise<unknown> => {
        if (!isKnown) throw new ProtocolError(-32600, 'The first request must be _host/hello');
        try {
          return await handle(params as Order, context);
        } catch (error) {
          throw toWire(error);
        }
      };
    return {
      '_host/hello': (params) => {
        isKnown = this.#greet(params as Hello);
        return this.#status();
      },
      '_host/ready': known(async (_, { peer }) => {
        await session.readyFor((message) => void peer.notify('_host/remark', { message }).catch(() => undefined));
        return this.#status();
      }),
      '_host/prompt': known((order: PromptOrder, { peer }) => this.#prompt(order, new Subscriber(peer, order))),
      '_host/cancel': known(({ promptId }: { readonly promptId?: string }) => session.queue.cancel(promptId)),
      '_host/set-mode': known(({ modeId }: { readonly modeId: string }) => session.setMode(modeId)),
      '_host/set': known(({ id, value }: { readonly id: string; readonly value: string }) =>
        session.setOption(id, value).then(() => this.#status()),
      ),
      '_host/status': known(() => this.#status()),
      '_host/end': known(async ({ isClosed }: { readonly isClosed?: true }) => {
        if (isClosed) await session.markClosed();
        this.#parts.onEnd();
      }),
    };
  }

  #greet({ protocol, token, ttl }: Hello): boolean {
    if (token !== this.#parts.token) throw new ProtocolError(-32600, 'The token is not the one in the lock');
    if (protocol !== hostProtocol)
      throw new ProtocolError(
        -32600,
        `The session is hosted by another version of turnwire (process ${process.pid}); end it with: turnwire sessions close`,
      );
    if (ttl !== undefined) this.#parts.onChange(ttl);
    return true;
  }

  async #prompt(order: PromptOrder, subscriber: Subscriber): Promise<unknown> {
    const { session } = this.#parts;
    for (const remark of session.takeRemarks()) subscriber.remark(remark);
    const outcome = session.queue.add(new PromptJob(order, subscriber));
    if (!order.isQueuedOnly) return outcome;
    // No command waits for it, so the next one gets the error.
    outcome.catch((error: unknown) => session.remark(`a queued prompt failed: ${(error as Error).message}`));
    return {};
  }

  #status(): HostStatus {
    const { session } = this.#parts;
    const isWorking = session.queue.running !== undefined;
    return {
      pid: process.pid,
      startedAt,
      state: isWorking ? 'working' : session.state,
      queued: session.queue.length,
      record: session.record,
    };
  }
}
