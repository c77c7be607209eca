import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { saysSomething } from './says-something.ts';

/** Holds back the beginning of an answer until something is said: until then nobody has seen it, and it can begin anew. */
export class Beginning {
  #heldBack: LanguageModelV3StreamPart[] = [];
  #isOver = false;

  /** True once something was said. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What may be passed on now that this part is there. */
  take(part: LanguageModelV3StreamPart): readonly LanguageModelV3StreamPart[] {
    this.#isOver ||= saysSomething(part);
    const parts = [...this.#heldBack, part];
    this.#heldBack = this.#isOver ? [] : parts;
    return this.#isOver ? parts : [];
  }
}
