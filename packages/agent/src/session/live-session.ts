import { errorCodes, ProtocolError } from '@turnwire/protocol';
import type { Log, PromptResponse, RequestContext, StopReason } from '@turnwire/protocol';
import type { AgentDefinition } from '../definition.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { AgentSession } from './agent-session.ts';
import type { SentPrompt } from './queued-prompt.ts';
import { inTime } from './in-time.ts';
import type { SessionPublisher } from './session-publisher.ts';
import type { TurnLimits } from './turn-limits.ts';
import { TurnQueue } from './turn-queue.ts';
import type { StartedTurn } from './turn-queue.ts';

/** What a session needs to run its turns. */
export interface SessionSurroundings<Memory> {
  readonly definition: AgentDefinition<Memory>;
  readonly limits: TurnLimits;
  readonly log: Log;
}

/** A session that takes prompts. */
export class LiveSession<Memory> {
  readonly session: AgentSession<Memory>;
  readonly #publisher: SessionPublisher;
  readonly #surroundings: SessionSurroundings<Memory>;
  readonly #turns = new TurnQueue();

  constructor(session: AgentSession<Memory>, publisher: SessionPublisher, surroundings: SessionSurroundings<Memory>) {
    this.session = session;
    this.#publisher = publisher;
    this.#surroundings = surroundings;
  }

  /** False if closing it would lose it. */
  get isStored(): boolean {
    return this.#publisher.isStored;
  }

  /**
   * Runs a turn once the turns before it are over, unless one of them takes the prompt in. `$/cancel_request` of the prompt cancels
   * the turn that answers it and no other.
   */
  async prompt(sent: SentPrompt, { signal }: RequestContext<'agent'>): Promise<PromptResponse> {
    const { limits } = this.#surroundings;
    if (this.#turns.size > limits.waiting) throw tooManyWaiting(this.session.id, limits.waiting);
    const answer = await this.#turns.run(sent, signal, (turn) => this.#turn(turn));
    return answer ?? { stopReason: 'cancelled' };
  }

  /** Cancels the turn that runs and those that wait. Without any it does nothing. */
  cancel(): void {
    this.#turns.cancel();
  }

  /** Cancels every turn, waits for their ends, and lets the agent tidy up. A session whose agent fails at that is closed all the same. */
  async close(): Promise<void> {
    const { definition, log } = this.#surroundings;
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

  /** The turn is stored as over before it is answered: who has the answer has the session. */
  async #turn(turn: StartedTurn): Promise<PromptResponse> {
    this.#recordPrompt(turn.sent);
    const run = this.#run(turn);
    const stopReason = run.then(
      (answer) => answer.stopReason,
      () => 'error' as const,
    );
    await this.#recordEnd(await stopReason);
    // A cancel that came meanwhile was meant for this turn.
    return turn.signal.aborted ? { ...(await run.catch(() => ({}))), stopReason: 'cancelled' } : run;
  }

  /** A store that hangs does not hold up the answer for ever. */
  async #recordEnd(stopReason: StopReason | 'error'): Promise<void> {
    const { limits, log } = this.#surroundings;
    const stored = this.#publisher.record({ type: 'end', stopReason, title: this.session.title ?? null });
    if (!(await inTime(stored, limits.grace)))
      log({ level: 'error', event: 'the end of a turn is not stored yet; it is answered all the same' });
  }

  #run({ sent, signal, takeWaiting }: StartedTurn): Promise<PromptResponse> {
    const { definition, limits, log } = this.#surroundings;
    const turn = new RunningTurn({
      session: this.session,
      publisher: this.#publisher,
      sent,
      cancelled: signal,
      takeWaiting: (isWanted) => {
        const taken = takeWaiting(isWanted);
        for (const waiting of taken) this.#recordPrompt(waiting);
        return taken;
      },
    });
    return runTurn(definition, turn, { limits, log });
  }

  #recordPrompt({ prompt }: SentPrompt): void {
    void this.#publisher.record({ type: 'prompt', messageId: crypto.randomUUID(), prompt });
  }
}

function tooManyWaiting(sessionId: string, waiting: number): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    waiting === 0
      ? `Session ${sessionId} is busy with a prompt: wait for its answer, or cancel`
      : `Session ${sessionId} has ${waiting} prompts waiting already: wait for an answer, or cancel`,
    { sessionId, waiting },
  );
}
