import type { Error as WireError, SessionUpdate } from '../generated/v2-types.ts';

type StateUpdate = Extract<SessionUpdate, { readonly sessionUpdate: 'state_update' }>;

/** How a turn ended. */
export interface ForegroundEnd {
  readonly stopReason: string;
  readonly error?: WireError;
  readonly _meta?: { readonly [key: string]: unknown };
}

/**
 * The foreground work of a session: the running turn, its questions, and its tool calls in progress. A state that is the same as before is
 * not sent again.
 */
export class Foreground {
  readonly #send: (update: StateUpdate) => void;
  #state: 'idle' | 'running' | 'requires_action' = 'idle';
  /** The open questions, each with its tool call if it has one. */
  readonly #questions = new Set<{ readonly toolCallId: string | undefined }>();
  readonly #inProgress = new Set<string>();

  constructor(send: (update: StateUpdate) => void) {
    this.#send = send;
  }

  begin(): void {
    this.#inProgress.clear();
    this.#questions.clear();
    this.#become('running');
  }

  /** Does nothing if no turn runs. */
  end({ stopReason, ...more }: ForegroundEnd): void {
    if (this.#state === 'idle') return;
    this.#state = 'idle';
    this.#send({ sessionUpdate: 'state_update', state: 'idle', stopReason, ...more } as StateUpdate);
  }

  /** Sends the current state, for a client that does not know it. */
  report(): void {
    this.#send({ sessionUpdate: 'state_update', state: this.#state } as StateUpdate);
  }

  /** Takes notice of a tool call's status. */
  toolCallIs(toolCallId: string, status: string): void {
    if (status === 'in_progress') this.#inProgress.add(toolCallId);
    else this.#inProgress.delete(toolCallId);
    this.#settle();
  }

  /** Waits for the user. The session requires action while nothing else is in progress. */
  async asking<Answer>(toolCallId: string | undefined, ask: () => Promise<Answer>): Promise<Answer> {
    const question = { toolCallId };
    this.#questions.add(question);
    this.#settle();
    try {
      return await ask();
    } finally {
      this.#questions.delete(question);
      this.#settle();
    }
  }

  #settle(): void {
    if (this.#state === 'idle') return;
    const asked = new Set([...this.#questions].map(({ toolCallId }) => toolCallId));
    const isBlocked = asked.size > 0 && [...this.#inProgress].every((id) => asked.has(id));
    this.#become(isBlocked ? 'requires_action' : 'running');
  }

  #become(state: 'running' | 'requires_action'): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#send({ sessionUpdate: 'state_update', state });
  }
}
