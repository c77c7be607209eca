import type { BackgroundWork, Error as WireError, SessionUpdate } from '../generated/v2-types.ts';
import { errorCodes, ProtocolError } from '../protocol-error.ts';

/** A state of a session, as an update of it. */
export type StateUpdate = Extract<SessionUpdate, { readonly sessionUpdate: 'state_update' }>;

/** How a turn ended. */
export interface ForegroundEnd {
  readonly stopReason: string;
  readonly error?: WireError;
  /** Not yet part of the stable protocol. */
  readonly usage?: object;
  readonly _meta?: { readonly [key: string]: unknown };
}

/** An error as the end of a turn reports it. */
export function foregroundError(error: unknown): WireError {
  const { code, message, data } =
    error instanceof ProtocolError ? error : new ProtocolError(errorCodes.internalError, String(error));
  return { code, message, ...(data !== undefined && { data }) };
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
  /** The agent reports its states itself, so that none is derived from turns and questions. */
  #isReported = false;
  /** A turn has begun, and the agent has reported no state since. */
  #isUnreported = false;
  /** A turn has begun, and its prompt is not part of the agent's conversation yet: the agent may report the end of other work. */
  #isBeforeInsertion = false;
  /** Undefined until there is some: the agent does not report it. */
  #background: Set<BackgroundWork> | undefined;

  constructor(send: (update: StateUpdate) => void) {
    this.#send = send;
  }

  /** A turn begins. */
  begin(): void {
    this.#inProgress.clear();
    this.#questions.clear();
    this.#isBeforeInsertion = true;
    if (this.#isReported) this.#isUnreported = true;
    else this.#become('running');
  }

  /** The agent has made the prompt of the turn part of its conversation. */
  inserted(): void {
    this.#isBeforeInsertion = false;
  }

  /** Does nothing if no turn runs. */
  end({ stopReason, ...more }: ForegroundEnd): void {
    this.#isBeforeInsertion = false;
    // A turn may end, as by a cancel, before the agent reports that it works.
    if (this.#isUnreported) this.#become('running');
    if (this.#state === 'idle') return;
    this.#isUnreported = false;
    this.#state = 'idle';
    this.report({ stopReason, ...more });
  }

  /** Passes on a state that an agent of version 2 reports, unless it is the same as before and adds nothing. */
  reported(update: StateUpdate): void {
    const { state } = update as { readonly state: string };
    // The end of earlier work: a client would take it for the end of the turn.
    const isEarlier = this.#isBeforeInsertion || (this.#isUnreported && this.#state === 'idle');
    if (state === 'idle' && isEarlier) return;
    const isNews = this.#isUnreported || state !== this.#state || Object.keys(update).length > 2;
    this.#isReported = true;
    this.#isUnreported = false;
    // An unknown state is not idle.
    this.#state = state === 'idle' || state === 'requires_action' ? state : 'running';
    if (isNews) this.#send(update);
  }

  /** Sends the current state, for a client that does not know it. */
  report(end: Partial<ForegroundEnd> = {}): void {
    const background = this.#background && { background: [...this.#background] };
    this.#send({ sessionUpdate: 'state_update', state: this.#state, ...end, ...background } as StateUpdate);
  }

  /** Work begins that does not belong to a turn. */
  backgroundBegins(work: BackgroundWork): void {
    this.#background ??= new Set();
    this.#background.add(work);
    this.report();
  }

  /** The work has ended, and the client knows it. */
  backgroundEnds(work: BackgroundWork): void {
    if (this.#background?.delete(work)) this.report();
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
    if (this.#state === 'idle' || this.#isReported) return;
    const asked = new Set([...this.#questions].map(({ toolCallId }) => toolCallId));
    const isBlocked = asked.size > 0 && [...this.#inProgress].every((id) => asked.has(id));
    this.#become(isBlocked ? 'requires_action' : 'running');
  }

  #become(state: 'running' | 'requires_action'): void {
    if (this.#state === state) return;
    this.#state = state;
    this.report();
  }
}
