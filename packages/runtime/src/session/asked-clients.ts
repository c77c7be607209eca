import { type Answer, answerOf, type Question } from '@turnwire/permissions';
import type { EventAuthor } from '@turnwire/protocol';
import type { Questions } from './questions.ts';

/** Asks the clients in control of a session for the permissions that its rules leave open, and records who answered. */
export class AskedClients {
  readonly #questions: Questions;
  /** The authors of answers, by the id of the tool call. */
  #authors: Map<string, EventAuthor> | undefined;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** Resolves with the first answer; after the timeout with a rejection. */
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

  /** Takes the author of the answer about a tool call. */
  takeAuthor(toolCallId: string): EventAuthor | undefined {
    const author = this.#authors?.get(toolCallId);
    this.#authors?.delete(toolCallId);
    return author;
  }
}
