import { errorCodes, ProtocolError } from '@agentwire/protocol';
import type { ContentBlock, Log, PromptResponse, RequestContext } from '@agentwire/protocol';
import type { AgentDefinition } from '../definition.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { Session } from './session.ts';
import type { TurnLimits } from './turn-limits.ts';
import { TurnQueue } from './turn-queue.ts';

/** What a session needs to run its turns. */
export interface SessionSurroundings<Memory> {
  readonly definition: AgentDefinition<Memory>;
  readonly limits: TurnLimits;
  readonly log: Log;
}

/** A session that takes prompts. */
export class LiveSession<Memory> {
  readonly #session: Session<Memory>;
  readonly #surroundings: SessionSurroundings<Memory>;
  readonly #turns = new TurnQueue();

  constructor(session: Session<Memory>, surroundings: SessionSurroundings<Memory>) {
    this.#session = session;
    this.#surroundings = surroundings;
  }

  /** Runs a turn once the turns before it are over. `$/cancel_request` of the prompt cancels this turn alone. */
  async prompt(prompt: readonly ContentBlock[], { peer, signal }: RequestContext<'agent'>): Promise<PromptResponse> {
    const { definition, limits, log } = this.#surroundings;
    if (this.#turns.size > limits.waiting) throw tooManyWaiting(this.#session.id, limits.waiting);
    const stopReason = await this.#turns.run(signal, (cancelled) => {
      const turn = new RunningTurn({ session: this.#session, prompt, signal: cancelled, peer, log });
      return runTurn(definition, turn, { grace: limits.grace, log });
    });
    return { stopReason: stopReason ?? 'cancelled' };
  }

  /** Cancels the turn that runs and those that wait. Without any it does nothing. */
  cancel(): void {
    this.#turns.cancel();
  }

  /** Cancels every turn, waits for their ends, and lets the agent tidy up. */
  async close(): Promise<void> {
    this.#turns.cancel();
    await this.#turns.idle();
    await this.#surroundings.definition.closeSession?.(this.#session);
  }
}

function tooManyWaiting(sessionId: string, waiting: number): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    `Session ${sessionId} has ${waiting} prompts waiting already: wait for an answer, or cancel`,
    { sessionId, waiting },
  );
}
