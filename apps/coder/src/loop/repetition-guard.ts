import type { LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { createHash } from 'node:crypto';
import type { ModelToolCall } from './model-answer.ts';

const longestCycle = 3;
const warnAt = 3;
const stopAt = 5;

/** The reaction to a repetition. */
export type Repetition = 'none' | 'warn' | 'stop';

/** Detects a model that makes the same calls with the same results over and over, in a cycle of up to three answers. */
export class RepetitionGuard {
  readonly #seen: string[] = [];

  /** Checks the calls of one answer and their results. */
  check(calls: readonly ModelToolCall[], results: readonly LanguageModelV3ToolResultPart[]): Repetition {
    const done = calls.map(({ toolName, json }, index) => [toolName, json, results[index]?.output]);
    this.#seen.push(createHash('sha256').update(JSON.stringify(done)).digest('base64'));
    if (this.#seen.length > longestCycle * stopAt) this.#seen.shift();
    const rounds = Math.max(...[1, 2, 3].map((length) => this.#rounds(length)));
    return rounds >= stopAt ? 'stop' : rounds >= warnAt ? 'warn' : 'none';
  }

  /** Resets the guard after new input from the user. */
  forget(): void {
    this.#seen.length = 0;
  }

  /** How often the last answers, as a sequence of this length, occurred in a row. */
  #rounds(length: number): number {
    const last = this.#seen.slice(-length);
    let rounds = 0;
    for (let end = this.#seen.length; end >= length; end -= length) {
      const round = this.#seen.slice(end - length, end);
      if (round.some((print, index) => print !== last[index])) break;
      rounds += 1;
    }
    return rounds;
  }
}
