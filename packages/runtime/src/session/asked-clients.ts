import type { TranscriptEvent } from '@turnwire/client/transcript';
import { type Answer, answerOf, type Question } from '@turnwire/permissions';
import type { EventAuthor } from '@turnwire/protocol';
import type { Questions } from './questions.ts';

/** Asks the subscribers in control of a session what its rules leave open, and knows who answered. */
export class AskedClients {
  readonly #questions: Questions;
  /** Who gave the answer about a tool call. */
  #authors: Map<string, EventAuthor> | undefined;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** Resolves with the first answer; a rejection after the timeout. */
  async ask(question: Question): Promise<Answer> {
    const { signal, view } = question;
    const answered = await this.#questions.ask({
      askOf: async ({ askPermission }, called) => askPermission?.(question, called),
      concerns: ({ askPermission }) => askPermission !== undefined,
      fits: () => true,
      signal,
    });
    if (answered) {
      (this.#authors ??= new Map()).set(view.toolCallId, answered.from.author);
      return answered.answer;
    }
    const rejection = view.choices.find(({ kind }) => kind === 'reject_once');
    return signal.aborted ? undefined : answerOf(question, rejection);
  }

  /** Who gave the answer that an event is about. It is given once. */
  takeAuthor(event: TranscriptEvent): EventAuthor | undefined {
    if (event.type !== 'permission-answered') return undefined;
    const { toolCallId } = event.outcome;
    const author = this.#authors?.get(toolCallId);
    this.#authors?.delete(toolCallId);
    return author;
  }
}
