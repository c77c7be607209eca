import { backOff, pause, unlessAborted } from '@turnwire/machine/waits';
import { type FrameAbout, type FrameReceiver, type Transport, TurnwireError } from '@turnwire/protocol';
import { exitCodes } from '../exit-codes.ts';
import { RelayMemory } from './relay-memory.ts';
import { AgentRefusal, RestoredConnection } from './restored-connection.ts';

/** The two sides of a relay. */
export interface RelayOptions {
  readonly local: Transport;
  /** Opens a connection to the agent. */
  readonly connect: () => Transport;
  /** Whether a broken connection is restored. */
  readonly reconnects: boolean;
  /** Reports connection events to the user. */
  readonly report: (message: string) => void;
}

/** Attempts in a row before the relay gives up, which takes about eight minutes. */
const maxAttempts = 20;
/** The longest delay between attempts, in milliseconds. */
const longestDelay = 30_000;
/** How long to wait for answers after the input has ended, in milliseconds. */
const lastAnswers = 5_000;
/** How long an agent may take to restore the sessions, in milliseconds. */
const restoreTimeout = 60_000;

/**
 * Forwards every frame unchanged in both directions until one side leaves. A broken connection to the agent is restored: pending requests
 * are answered with an error, `initialize` is sent as the client sent it, and the sessions are resumed or loaded without their replay.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #memory = new RelayMemory();
  readonly #ending = new AbortController();
  #delays = delays();
  #madeAt = Date.now();
  #remote: Transport;
  /** Set while there is no connection; frames of the client wait for it. */
  #reconnecting: Promise<void> | undefined;
  #isInputOver = false;
  #leave!: (code: number) => void;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#remote = options.connect();
  }

  /** Resolves with the exit code. */
  async run(): Promise<number> {
    const { local, report } = this.#options;
    const left = new Promise<number>((resolve) => (this.#leave = resolve));
    local.start({
      frame: (text) => (this.#reconnecting ? this.#reconnecting.then(() => this.#send(text)) : this.#send(text)),
      warning: ({ kind, bytes }) => report(`${bytes} bytes on stdin were not sent (${kind})`),
      // Earlier requests still get their answers after the input has ended.
      end: () => {
        if (!this.#memory.isPending) return this.#leave(exitCodes.ok);
        this.#isInputOver = true;
        setTimeout(() => this.#leave(exitCodes.ok), lastAnswers).unref();
      },
    });
    this.#remote.start(this.#receiver);
    const code = await left;
    this.#ending.abort();
    await Promise.all([local.close(), this.#remote.close()]);
    return code;
  }

  #send(text: string): Promise<void> | undefined {
    const about = this.#memory.toAgent(text);
    return about && this.#remote.send(text, about);
  }

  readonly #receiver: FrameReceiver = {
    frame: (text) => this.#receive(text),
    warning: ({ kind, bytes }) => this.#options.report(`${bytes} bytes were not forwarded (${kind})`),
    end: (reason) => this.#ended(reason),
  };

  #receive(text: string): Promise<void> | undefined {
    const { about, isUnsafe } = this.#memory.toClient(text);
    if (!isUnsafe) {
      const sending = this.#options.local.send(text, about);
      if (this.#isInputOver && !this.#memory.isPending) this.#leave(exitCodes.ok);
      return sending;
    }
    const message = 'The client has yet to answer a request with this id, from before the connection broke';
    return this.#remote.send(errorFor(about.id ?? null, message), { ...about, kind: 'answer' });
  }

  #ended(reason: Error | undefined): void {
    if (this.#ending.signal.aborted) return;
    const { local, report, reconnects } = this.#options;
    const message = reason?.message ?? 'the server closed the connection';
    const { initialize } = this.#memory;
    if (!reconnects || initialize === undefined) {
      report(message);
      return this.#leave(reason ? exitCodes.error : exitCodes.ok);
    }
    // Keep the longer delay for a connection that breaks again at once: the shortest one would cause a reconnect storm.
    if (Date.now() - this.#madeAt > longestDelay) this.#delays = delays();
    const { unanswered, unasked } = this.#memory.broke();
    for (const id of unanswered) void local.send(errorFor(id, `The connection to the agent broke: ${message}`));
    for (const requestId of unasked)
      void local.send(JSON.stringify({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } }));
    this.#reconnecting = this.#reconnect(initialize, message);
  }

  /** Restores the connection. Never rejects: if it cannot be restored, the relay ends. */
  async #reconnect(initialize: string, message: string): Promise<void> {
    const { report } = this.#options;
    let reason = message;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const delay = this.#delays.next().value;
      report(`${reason}; reconnecting in ${Math.ceil(delay / 1000)} s`);
      await pause(delay, this.#ending.signal).catch(() => undefined);
      if (this.#ending.signal.aborted) return;
      const connection = new RestoredConnection(this.#options.connect());
      try {
        await unlessAborted(this.#restore(connection, initialize), AbortSignal.timeout(restoreTimeout));
        this.#remote = connection.transport;
        this.#reconnecting = undefined;
        this.#madeAt = Date.now();
        report('reconnected');
        return connection.handOver(this.#receiver);
      } catch (error) {
        await connection.transport[Symbol.asyncDispose]();
        reason = (error as Error).message;
        // Refused credentials will be refused again.
        if (error instanceof TurnwireError && error.code === 'not-authorized') {
          report(`${reason}; not retrying`);
          return this.#leave(exitCodes.error);
        }
      }
    }
    report(`${reason}; giving up after ${maxAttempts} attempts`);
    this.#leave(exitCodes.error);
  }

  /** Repeats the handshake and restores the sessions. A session that the agent refuses is lost, and its next request is refused as well. */
  async #restore(connection: RestoredConnection, initialize: string): Promise<void> {
    await connection.request(initialize);
    for (const { sessionId, method, params } of this.#memory.restoring()) {
      const id = `turnwire-${method}-${sessionId}`;
      try {
        await connection.request(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      } catch (error) {
        if (!(error instanceof AgentRefusal)) throw error;
        this.#options.report(`a session was not restored: ${error.message}`);
        this.#memory.lose(sessionId);
      }
    }
  }
}

function delays(): Iterator<number, never> {
  return backOff({ most: longestDelay, jitter: 0.5 });
}

function errorFor(id: FrameAbout['id'] | null, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } });
}
