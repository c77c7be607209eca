import {
  AgentwireError,
  type ContentBlock,
  type NewSessionResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentwire/protocol';
import type { Connection } from '../agent/connection.ts';
import { PendingPermissions } from '../permission/pending-permissions.ts';
import type { PermissionPolicy } from '../permission/permission-policy.ts';
import { PromptTurn, type Turn } from './turn.ts';

/** Sees every update of a session, in a turn or between turns, in the order of the wire. A returned promise holds the next one back. */
export type UpdateListener = (update: SessionUpdate) => void | Promise<void>;

/** One conversation with an agent. */
export interface Session {
  readonly id: string;
  /** The folder it works in. */
  readonly cwd: string;
  /** What the agent answered when the session was set up: its modes and options. */
  readonly setup: NewSessionResponse;
  /** Starts a turn, or queues it behind the one that runs. A string is one block of text. */
  prompt(prompt: string | readonly ContentBlock[]): Turn;
}

/** What a session is made of. */
export interface SessionParts {
  readonly connection: Connection;
  readonly cwd: string;
  readonly setup: NewSessionResponse;
  readonly permission: PermissionPolicy;
  readonly onUpdate: UpdateListener | undefined;
  /** How long a cancelled turn may take to end, in milliseconds. */
  readonly cancelTimeout: number;
}

/** The client's side of a session. */
export class AgentSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly setup: NewSessionResponse;
  readonly #parts: SessionParts;
  readonly #permissions: PendingPermissions;
  #running: PromptTurn | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.id = parts.setup.sessionId;
    this.cwd = parts.cwd;
    this.setup = parts.setup;
    this.#parts = parts;
    this.#permissions = new PendingPermissions(parts.permission);
  }

  prompt(prompt: string | readonly ContentBlock[]): Turn {
    const turn = new PromptTurn((cancelled) => this.#cancel(cancelled));
    const blocks: readonly ContentBlock[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    this.#last = this.#last.then(() => this.#run(turn, blocks));
    return turn;
  }

  /** Takes an update from the agent. */
  deliver(update: SessionUpdate): Promise<void> | undefined {
    const heard = this.#parts.onUpdate?.(update);
    return heard ? heard.then(() => this.#running?.deliver(update)) : this.#running?.deliver(update);
  }

  /** Answers a permission request; `cancelled` without asking anyone while a turn is being cancelled. */
  decide(
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ): RequestPermissionResponse | Promise<RequestPermissionResponse> {
    return this.#running?.isCancelled
      ? { outcome: { outcome: 'cancelled' } }
      : this.#permissions.answer(request, signal);
  }

  async #run(turn: PromptTurn, prompt: readonly ContentBlock[]): Promise<void> {
    if (turn.isCancelled) return;
    this.#running = turn;
    this.#parts.connection.request('session/prompt', { sessionId: this.id, prompt: [...prompt] }).then(
      (result) => turn.succeed(result),
      (error: unknown) => turn.fail(error),
    );
    await turn.result.catch(() => undefined);
    this.#running = undefined;
    this.#permissions.cancelAll();
  }

  #cancel(turn: PromptTurn): void {
    if (turn !== this.#running) return turn.succeed({ stopReason: 'cancelled' });
    this.#permissions.cancelAll();
    void this.#parts.connection.notify('session/cancel', { sessionId: this.id }).catch(() => undefined);
    const timer = setTimeout(() => turn.fail(notHonoured(this.#parts.cancelTimeout)), this.#parts.cancelTimeout);
    void turn.result.catch(() => undefined).then(() => clearTimeout(timer));
  }
}

function notHonoured(limit: number): AgentwireError {
  return new AgentwireError(
    'timeout',
    `The agent did not end the cancelled turn within ${limit / 1000} s; close the agent and start it again`,
  );
}
