import { errorCodes, ProtocolError } from '@turnwire/protocol';
import type { Log, PromptResponse, RequestContext, StopReason } from '@turnwire/protocol';
import { within } from '@turnwire/machine/waits';
import type { AgentDefinition } from '../definition.ts';
import type { LocalMachine } from '../turn/local-machine.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { AgentSession } from './agent-session.ts';
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

/** An open session, which takes prompts. */
export class LiveSession<Memory> {
  readonly session: AgentSession<Memory>;
  readonly #publisher: SessionPublisher;
  readonly #context: SessionContext<Memory>;
  readonly #turns = new TurnQueue();

  constructor(session: AgentSession<Memory>, publisher: SessionPublisher, context: SessionContext<Memory>) {
    this.session = session;
    this.#publisher = publisher;
    this.#context = context;
  }

  /** False if closing the session would lose a part of it. */
  get isStored(): boolean {
    return this.#publisher.isStored;
  }

  /**
   * Runs a turn after the earlier turns, unless one of them takes the prompt in. `$/cancel_request` of the prompt cancels only the turn
   * that answers it.
   */
  async prompt(sent: SentPrompt, { signal }: RequestContext<'agent'>): Promise<PromptResponse> {
    const { limits } = this.#context;
    if (this.#turns.size > limits.waiting) throw tooManyWaiting(this.session.id, limits.waiting);
    const answer = await this.#turns.run(sent, signal, (turn) => this.#turn(turn));
    return answer ?? { stopReason: 'cancelled' };
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
    const { definition, log } = this.#context;
    this.#turns.cancel();
    await this.#turns.idle();
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
    this.#recordPrompt(started.sent);
    const turn = new RunningTurn({
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
    });
    const run = runTurn(turn, () => definition.prompt(turn), { limits, log });
    const stopReason = run.then(
      (answer) => answer.stopReason,
      () => 'error' as const,
    );
    await this.#recordEnd(await stopReason);
    // A cancel that arrived in the meantime was meant for this turn.
    return started.signal.aborted ? { ...(await run.catch(() => ({}))), stopReason: 'cancelled' } : run;
  }

  /** A store that hangs delays the answer only for the grace period. */
  async #recordEnd(stopReason: StopReason | 'error'): Promise<void> {
    const { limits, log } = this.#context;
    const stored = this.#publisher.record({ type: 'end', stopReason, title: this.session.title ?? null });
    const isStored = stored.then(() => true);
    if (!(await within(limits.grace, isStored)))
      log({ level: 'error', event: 'the end of a turn is not stored yet; the prompt is answered anyway' });
  }

  #recordPrompt({ prompt }: SentPrompt): void {
    void this.#publisher.record({ type: 'prompt', messageId: crypto.randomUUID(), prompt });
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
