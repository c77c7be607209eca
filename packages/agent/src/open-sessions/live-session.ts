import { errorCodes, ProtocolError, requestCancelled } from '@turnwire/protocol';
import type { AvailableCommand, LoadSessionResponse, Log, PromptResponse, StopReason } from '@turnwire/protocol';
import { within } from '@turnwire/machine/waits';
import type { AgentDefinition } from '../definition.ts';
import type { LocalMachine } from '../turn/local-machine.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { KeyedPrompt } from '../store/history.ts';
import type { SessionWire } from '../wire/client-wire.ts';
import type { AgentSession } from './agent-session.ts';
import { ChildSessions } from './child-sessions.ts';
import { KeyedPrompts } from './keyed-prompts.ts';
import type { SentPrompt } from '../turn/queued-prompt.ts';
import type { SessionPublisher } from '../session/session-publisher.ts';
import type { TurnLimits } from '../turn/turn-limits.ts';
import { TurnQueue } from '../turn/turn-queue.ts';
import type { StartedTurn } from '../turn/turn-queue.ts';

/** The context in which a session runs its turns. */
export interface SessionContext<Memory> {
  readonly definition: AgentDefinition<Memory>;
  readonly limits: TurnLimits;
  readonly log: Log;
  readonly machine: LocalMachine | undefined;
}

/** The answer that sets up a session. */
export type SetUpAnswer = LoadSessionResponse & { readonly availableCommands?: readonly AvailableCommand[] };

/** The parts of an open session. */
export interface LiveSessionParts<Memory> {
  readonly session: AgentSession<Memory>;
  readonly publisher: SessionPublisher;
  /** The earlier prompts that have a key. */
  readonly keyed?: ReadonlyMap<string, KeyedPrompt> | undefined;
  /** The sessions that it started earlier. */
  readonly children?: Iterable<string> | undefined;
}

/** An open session, which takes prompts. */
export class LiveSession<Memory> {
  readonly session: AgentSession<Memory>;
  readonly #publisher: SessionPublisher;
  readonly #context: SessionContext<Memory>;
  readonly #turns = new TurnQueue();
  readonly #keyed: KeyedPrompts;
  /** The sessions that it starts. */
  readonly children: ChildSessions<Memory>;

  constructor(
    { session, publisher, keyed = new Map(), children = [] }: LiveSessionParts<Memory>,
    context: SessionContext<Memory>,
  ) {
    this.session = session;
    this.#publisher = publisher;
    this.#context = context;
    this.#keyed = new KeyedPrompts(keyed);
    this.children = new ChildSessions({ session, publisher, machine: context.machine }, children);
  }

  /** The answer that sets up the session contains its commands. */
  get answersCommands(): boolean {
    return this.#publisher.client.answersCommands;
  }

  /** The session as its client sees it. */
  get wire(): SessionWire {
    return this.#publisher.wire;
  }

  /** False if closing the session would lose a part of it. */
  get isStored(): boolean {
    return this.#publisher.isStored;
  }

  /**
   * Runs a turn after the earlier turns, unless one of them takes the prompt in. `$/cancel_request` of the prompt cancels only the turn
   * that answers it.
   */
  async prompt(sent: SentPrompt, signal: AbortSignal): Promise<PromptResponse> {
    const { limits } = this.#context;
    if (this.#turns.size > limits.waiting) throw tooManyWaiting(this.session.id, limits.waiting);
    const answer = await this.#turns.run(sent, signal, (turn) => this.#turn(turn));
    return answer ?? { stopReason: 'cancelled' };
  }

  /**
   * Queues a prompt, and resolves with its message id when it becomes part of the conversation: at the beginning of its turn, or when a turn
   * takes it in. Until then the signal withdraws it.
   * @throws ProtocolError -32800 if it was withdrawn or cancelled before; -32602 if its key belongs to another prompt
   */
  async insert(sent: SentPrompt, signal: AbortSignal): Promise<string> {
    const { idempotencyKey: key } = sent;
    if (key === undefined) return this.#insertOnce(sent, signal);
    return this.#keyed.once(key, sent.prompt, { insert: () => this.#insertOnce(sent, signal), signal });
  }

  #insertOnce(sent: SentPrompt, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const withdrawal = new AbortController();
      const withdraw = (): void => withdrawal.abort(signal.reason);
      if (signal.aborted) withdraw();
      signal.addEventListener('abort', withdraw, { once: true });
      const inserted = (messageId: string): void => {
        signal.removeEventListener('abort', withdraw);
        resolve(messageId);
      };
      // Once the prompt is inserted, updates report how its turn ends.
      this.prompt({ ...sent, inserted }, withdrawal.signal).then(
        () => reject(requestCancelled('The prompt was cancelled before it became part of the conversation')),
        reject,
      );
    });
  }

  /** Reports the state of the session to a client that resumes it while it is open. It has no stored history. */
  async continueOpen(replay: boolean, signal: AbortSignal): Promise<SetUpAnswer> {
    const { wire } = this;
    if (replay) await wire.replay({ updates: [], children: [] }, signal);
    wire.resumed();
    const { configOptions } = this.session.settings;
    const availableCommands = await this.session.commands();
    return { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
  }

  /** Offers a prompt to the running turn. Resolves to true if the turn took it. */
  async steer(sent: SentPrompt, signal: AbortSignal): Promise<boolean> {
    const { limits } = this.#context;
    if (this.#turns.size > limits.waiting) throw tooManyWaiting(this.session.id, limits.waiting);
    return this.#turns.offer(sent, signal);
  }

  /** Cancels the running turn and the waiting ones, if any. */
  cancel(): void {
    this.#turns.cancel();
  }

  /** Cancels every turn, waits until they have ended, and calls `closeSession`. If that throws, the session is closed anyway. */
  async close(): Promise<void> {
    const { definition, limits, log } = this.#context;
    this.#turns.cancel();
    await Promise.all([this.#turns.idle(), this.children.close(limits.grace)]);
    try {
      await definition.closeSession?.(this.session);
    } catch (error) {
      log({ level: 'error', event: 'closeSession threw', error });
    } finally {
      await this.#publisher.close();
    }
  }

  /** Stores the end of the turn before answering it, so that a client with the answer can load the session. */
  async #turn(started: StartedTurn): Promise<PromptResponse> {
    const { definition, limits, log, machine } = this.#context;
    const { wire } = this.#publisher;
    this.#recordPrompt(started.sent);
    wire.turnBegins(started.signal);
    const turn = new RunningTurn<Memory>({
      session: this.session,
      publisher: this.#publisher,
      sent: started.sent,
      cancelled: started.signal,
      machine,
      takeWaiting: (isWanted) => {
        const taken = started.takeWaiting(isWanted);
        for (const waiting of taken) this.#recordPrompt(waiting);
        return taken;
      },
      ...(wire.capabilities.subagents && {
        delegate: (task, work, signal) => this.children.run(task, work, signal),
      }),
    });
    const run = runTurn(turn, () => definition.prompt(turn), { limits, log });
    const stopReason = run.then(
      (answer) => answer.stopReason,
      () => 'error' as const,
    );
    await this.#recordEnd(await stopReason);
    // A cancel that arrived in the meantime was meant for this turn.
    const isCancelled = started.signal.aborted;
    try {
      const answer = isCancelled ? { ...(await run.catch(() => ({}))), stopReason: 'cancelled' as const } : await run;
      wire.turnEnds(answer);
      return answer;
    } catch (error) {
      wire.turnFails(error);
      throw error;
    }
  }

  /** A store that hangs delays the answer only for the grace period. */
  async #recordEnd(stopReason: StopReason | 'error'): Promise<void> {
    const { limits, log } = this.#context;
    const stored = this.#publisher.record({ type: 'end', stopReason, title: this.session.title ?? null });
    const isStored = stored.then(() => true);
    if (!(await within(limits.grace, isStored)))
      log({ level: 'error', event: 'the end of a turn is not stored yet; the prompt is answered anyway' });
  }

  #recordPrompt({ prompt, idempotencyKey, inserted }: SentPrompt): void {
    const messageId = crypto.randomUUID();
    const key = idempotencyKey !== undefined && { idempotencyKey };
    void this.#publisher.record({ type: 'prompt', messageId, prompt, ...key });
    this.#publisher.wire.inserted(messageId, prompt);
    inserted?.(messageId);
  }
}

function tooManyWaiting(sessionId: string, waiting: number): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    waiting === 0
      ? `Session ${sessionId} is busy with a prompt: wait for its answer, or cancel it`
      : `Session ${sessionId} has ${waiting} waiting prompts already: wait for an answer, or cancel`,
    { sessionId, waiting },
  );
}
