import { resourceNotFound } from '@agentwire/protocol';
import type { Log } from '@agentwire/protocol';
import type { AgentDefinition } from '../definition.ts';
import { LiveSession } from './live-session.ts';
import type { SessionSetup } from './session.ts';
import type { TurnLimits } from './turn-limits.ts';

/** The sessions of one connection. */
export class Sessions<Memory> {
  readonly #definition: AgentDefinition<Memory>;
  readonly #limits: TurnLimits;
  readonly #log: Log;
  readonly #live = new Map<string, LiveSession<Memory>>();

  constructor(definition: AgentDefinition<Memory>, limits: TurnLimits, log: Log) {
    this.#definition = definition;
    this.#limits = limits;
    this.#log = log;
  }

  /** Begins a session and returns its id. */
  async open(setup: SessionSetup): Promise<string> {
    const id = crypto.randomUUID();
    // Without `openSession` the memory is undefined, and `Memory` can be nothing else.
    const memory = (await this.#definition.openSession?.(setup)) as Memory;
    this.#live.set(
      id,
      new LiveSession({ ...setup, id, memory }, { definition: this.#definition, limits: this.#limits, log: this.#log }),
    );
    return id;
  }

  /** @throws ProtocolError -32002 when there is no such session */
  find(sessionId: string): LiveSession<Memory> {
    const session = this.#live.get(sessionId);
    if (session === undefined) throw resourceNotFound(`Session not found: ${sessionId}`, { sessionId });
    return session;
  }

  /** Cancels the turns of a session. One that is not there has none. */
  cancel(sessionId: string): void {
    this.#live.get(sessionId)?.cancel();
  }

  /** Cancels what runs in a session, waits for its end and forgets it. */
  async close(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    this.#live.delete(sessionId);
    await session.close();
  }

  /** Closes every session: the client is gone. */
  async closeAll(): Promise<void> {
    await Promise.all(
      [...this.#live.keys()].map((id) =>
        this.close(id).catch((error: unknown) =>
          this.#log({ level: 'error', event: 'closing a session failed', error }),
        ),
      ),
    );
  }
}
