import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { saysSomething } from './says-something.ts';

/** Buffers the beginning of an answer until it has visible content: until then the call can be retried. */
export class Beginning {
  #heldBack: LanguageModelV3StreamPart[] = [];
  #isOver = false;

  /** True once there was visible content. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The parts to pass on after this part. */
  take(part: LanguageModelV3StreamPart): readonly LanguageModelV3StreamPart[] {
    this.#isOver ||= saysSomething(part);
    const parts = [...this.#heldBack, part];
    this.#heldBack = this.#isOver ? [] : parts;
    return this.#isOver ? parts : [];
  }
}
