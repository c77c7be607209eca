import { type FrameAbout, type FrameReceiver, RelayedFrames, type Transport, TurnwireError } from '@turnwire/protocol';

interface Waiting {
  readonly id: FrameAbout['id'];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A connection that is opened on behalf of a client. Incoming frames are withheld from the client until the handover. */
export class RestoredConnection {
  readonly transport: Transport;
  #receiver: FrameReceiver | undefined;
  #waiting: Waiting | undefined;
  #ended: Error | undefined;
  readonly #frames = new RelayedFrames();

  constructor(transport: Transport) {
    this.transport = transport;
    transport.start({
      frame: (text, about) => (this.#receiver ? this.#receiver.frame(text, about) : this.#skip(text)),
      warning: (report) => this.#receiver?.warning(report),
      end: (reason) => this.#end(reason),
    });
  }

  /** Sends a request and skips all frames before its answer. Rejects if the answer is an error. */
  async request(text: string): Promise<void> {
    const about = this.#frames.read('client', text);
    if (this.#ended) throw this.#ended;
    const answered = new Promise<void>((resolve, reject) => (this.#waiting = { id: about.id, resolve, reject }));
    void this.transport.send(text, about);
    await answered;
  }

  /** Delivers all further frames to the receiver. */
  handOver(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    if (this.#ended) receiver.end(this.#ended);
  }

  #skip(text: string): undefined {
    const { kind, id, message } = this.#frames.read('agent', text);
    const waiting = this.#waiting;
    if (kind === 'request' && id !== undefined) this.#refuse(id);
    if (kind !== 'answer' || waiting === undefined || id !== waiting.id) return;
    this.#waiting = undefined;
    const { error } = message as { readonly error?: { readonly message?: unknown } };
    if (error) waiting.reject(new AgentRefusal(String(error.message)));
    else waiting.resolve();
  }

  /** Refuses a request of the agent that arrives before the handover. */
  #refuse(id: NonNullable<FrameAbout['id']> | null): void {
    const error = { code: -32603, message: 'The client is not connected yet' };
    const frame = JSON.stringify({ jsonrpc: '2.0', id, error });
    void this.transport.send(frame, { kind: 'answer', method: undefined, id, sessionId: undefined });
  }

  #end(reason: Error | undefined): void {
    this.#ended = reason ?? new TurnwireError('connection-closed', 'the server closed the connection');
    this.#waiting?.reject(this.#ended);
    this.#receiver?.end(reason);
  }
}

/** The agent answered with an error. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
}
