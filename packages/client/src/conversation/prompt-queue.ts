import type { PromptTurn, Turn } from '../session/turn.ts';
import type { QueuedPrompt } from './conversation.ts';

/** A prompt, from the call to the end of its turn. */
export interface Prompted extends QueuedPrompt {
  readonly turn: PromptTurn;
  /** The turn of the session, once it was sent. */
  sent?: Turn;
  /** The turn that it is offered to, or that took it in. */
  into?: Prompted | undefined;
}

/** The prompts that wait, oldest first. */
export class PromptQueue {
  /** Another list after every change. */
  list: readonly Prompted[] = [];

  get oldest(): Prompted | undefined {
    return this.list[0];
  }

  has(prompted: Prompted): boolean {
    return this.list.includes(prompted);
  }

  /** One that is not on its way to the agent. */
  waiting(id: string): Prompted | undefined {
    return this.list.find((each) => each.id === id && each.into === undefined);
  }

  add(prompted: Prompted): void {
    this.list = [...this.list, prompted];
  }

  /** Makes one the next. */
  advance(prompted: Prompted): void {
    this.list = [prompted, ...this.list.filter((each) => each !== prompted)];
  }

  remove(prompted: Prompted): void {
    this.list = this.list.filter((each) => each !== prompted);
  }

  /** Takes all of them. */
  takeAll(): readonly Prompted[] {
    const all = this.list;
    this.list = [];
    return all;
  }
}
