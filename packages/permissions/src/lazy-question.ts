import { randomUUID } from 'node:crypto';
import type { QuestionView, RequestPermissionRequest } from '@turnwire/protocol';
import type { Action, Question } from './permissions.ts';

/** Computes the parts of a question on demand. */
export interface QuestionParts {
  readonly propose: () => string | undefined;
  readonly view: (proposedRule: string | undefined) => QuestionView;
}

/** A question whose proposal and view are computed on demand: of thousands of pending ones, few are displayed. */
export class LazyQuestion implements Question {
  readonly id: string = randomUUID();
  readonly action: Action;
  readonly request: RequestPermissionRequest;
  readonly reason: string;
  readonly signal: AbortSignal;
  readonly #parts: QuestionParts;
  #proposal: { readonly rule: string | undefined } | undefined;
  #view: QuestionView | undefined;

  constructor(
    { action, request, reason, signal }: Pick<Question, 'action' | 'request' | 'reason' | 'signal'>,
    parts: QuestionParts,
  ) {
    this.action = action;
    this.request = request;
    this.reason = reason;
    this.signal = signal;
    this.#parts = parts;
  }

  get proposedRule(): string | undefined {
    return (this.#proposal ??= { rule: this.#parts.propose() }).rule;
  }

  get view(): QuestionView {
    return (this.#view ??= this.#parts.view(this.proposedRule));
  }
}
