import type { WireError } from '../json-rpc/wire-error.ts';
import { errorFrame } from '../json-rpc/frames.ts';
import type { Journal } from '../log/journal.ts';
import type { FrameAbout, Transport } from '../transport.ts';
import type { RequestId } from '../json-rpc/request-id.ts';

/** The sending half of a connection: frames go out in order, and it is known whether the peer keeps up. */
export class Wire {
  readonly #transport: Transport;
  readonly #journal: Journal;
  #isCongested = false;
  isClosed = false;

  constructor(transport: Transport, journal: Journal) {
    this.#transport = transport;
    this.#journal = journal;
  }

  /** Sends one frame. A returned promise means backpressure. */
  send(text: string, about: FrameAbout): Promise<void> | undefined {
    if (this.isClosed) return undefined;
    if (this.#journal.isOpen) this.#journal.message('out', text, about.kind === 'answer' ? { id: about.id } : about);
    const room = this.#transport.send(text, about);
    if (room !== undefined) {
      this.#isCongested = true;
      void room.then(() => (this.#isCongested = false));
    }
    return room;
  }

  sendError(error: WireError, about: FrameAbout): void {
    void this.send(errorFrame(about.id ?? null, error), about);
  }

  /**
   * Sends an error that belongs to no request. A peer that floods this side with invalid frames without
   * reading our complaints gets no more of them, or they would pile up here.
   */
  complain(error: WireError): void {
    if (!this.#isCongested) this.sendError(error, aboutAnswer(null));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.#transport.close();
  }
}

/** Facts about an answer, from the request it answers. */
export function aboutAnswer(id: RequestId, method?: string, sessionId?: string): FrameAbout {
  return { kind: 'answer', method, id, sessionId };
}
