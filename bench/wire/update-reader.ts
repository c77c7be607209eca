import type { SessionUpdate } from '@turnwire/protocol';
import type { BenchClient } from './contender.ts';
import { streamPrompt } from './script.ts';
import { textLength, type UpdateKind, updatesOf } from './updates.ts';

/** The client's handler under load: reads every update, and verifies that all arrived, and none after the end of its turn. */
export class UpdateReader {
  readonly #prompt: string;
  readonly #perTurn: number;
  readonly #textPerTurn: number;
  #count = 0;
  #text = 0;

  constructor(kind: UpdateKind, perTurn: number) {
    const lengths = updatesOf(kind, 'sess_0000001').map(({ update }) => textLength(update));
    this.#prompt = streamPrompt(kind, perTurn);
    this.#perTurn = perTurn;
    this.#textPerTurn = Array.from({ length: perTurn }, (_, index) => lengths[index % lengths.length]!).reduce(
      (a, b) => a + b,
    );
  }

  readonly onUpdate = (update: SessionUpdate): void => {
    this.#count++;
    this.#text += textLength(update);
  };

  /** Runs one turn. Returns the agent's processor time so far, in microseconds. */
  async turn(client: BenchClient, sessionId: string): Promise<number> {
    this.#count = 0;
    this.#text = 0;
    const { stopReason, _meta } = await client.prompt(sessionId, this.#prompt);
    this.#verify(stopReason);
    await new Promise(setImmediate);
    this.#verify(stopReason);
    return Number((_meta as { readonly cpu: number }).cpu);
  }

  #verify(stopReason: string): void {
    if (stopReason === 'end_turn' && this.#count === this.#perTurn && this.#text === this.#textPerTurn) return;
    throw new Error(
      `${stopReason} after ${this.#count} of ${this.#perTurn} updates, ${this.#text} of ${this.#textPerTurn} characters`,
    );
  }
}
