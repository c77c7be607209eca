import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { Answer, Question } from '@turnwire/permissions';
import type { Author } from '../log/session-event.ts';
import { answeredPermission, askedPermission, rejection } from './asked-permission.ts';
import type { Questions } from './questions.ts';

/** Asks the clients in control of a session what its rules leave open, and knows who answered. */
export class AskedClients {
  readonly #sessionId: string;
  readonly #questions: Questions;
  /** Who gave the answer about a tool call. */
  #authors: Map<string, Author> | undefined;

  constructor(sessionId: string, questions: Questions) {
    this.#sessionId = sessionId;
    this.#questions = questions;
  }

  /** Resolves with the first answer; a rejection if there is none in time. */
  async ask(question: Question): Promise<Answer> {
    const answered = await this.#questions.ask({
      askOf: ({ client }, signal) =>
        client.peer.request('session/request_permission', askedPermission(question, this.#sessionId, client), {
          signal,
        }),
      concerns: ({ client }) => client.asks,
      fits: () => true,
      signal: question.signal,
    });
    if (!answered) return question.signal.aborted ? undefined : rejection(question);
    (this.#authors ??= new Map()).set(question.view.toolCallId, answered.from.client.author);
    return answeredPermission(question, answered.answer, answered.from.client);
  }

  /** Who gave the answer that an event is about. It is given once. */
  takeAuthor(event: TranscriptEvent): Author | undefined {
    if (event.type !== 'permission-answered') return undefined;
    const { toolCallId } = event.outcome;
    const author = this.#authors?.get(toolCallId);
    this.#authors?.delete(toolCallId);
    return author;
  }
}
