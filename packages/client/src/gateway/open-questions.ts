import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionContext,
  PermissionOption,
  RequestPermissionRequest,
} from '@turnwire/protocol';

/** A question of the agent. This client or another one answers it. */
export type OpenQuestion =
  | {
      readonly type: 'permission';
      readonly id: number;
      readonly request: RequestPermissionRequest;
      /**
       * Undefined: the answer is `cancelled`. `feedback` is a text of the user for the agent, such as why the option rejects: only for options
       * that `takesFeedback` of `@turnwire/protocol` accepts, as those of a gateway do.
       */
      readonly answer: (option: PermissionOption | undefined, feedback?: string) => void;
    }
  | {
      readonly type: 'elicitation';
      readonly id: number;
      readonly request: CreateElicitationRequest;
      /** Gives the answer; the first one counts. */
      readonly answer: (response: CreateElicitationResponse) => void;
    };

/** A page that the agent asked the user to open. */
export interface PageVisit {
  readonly id: string;
  readonly url: string;
}

let lastId = 0;

/** The open questions of a session, and the pages that its user opened for the agent. */
export class OpenQuestions {
  readonly #onChange: () => void;
  #list: readonly OpenQuestion[] = [];
  #visits: readonly PageVisit[] = [];

  /** @param onChange called after each change */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The open questions, oldest first. */
  get list(): readonly OpenQuestion[] {
    return this.#list;
  }

  /** The pages that the user has not finished. */
  get visits(): readonly PageVisit[] {
    return this.#visits;
  }

  /** Asks the user for a permission. Resolves with undefined when another client answers, or the agent withdraws the question. */
  askPermission(
    request: RequestPermissionRequest,
    { signal, feedback: send }: Pick<PermissionContext, 'signal' | 'feedback'>,
  ): Promise<PermissionOption | undefined> {
    return this.#ask<PermissionOption | undefined>(signal, undefined, (id, settle) => ({
      type: 'permission',
      id,
      request,
      answer: (option, feedback) => {
        if (feedback !== undefined) send?.(feedback);
        settle(option);
      },
    }));
  }

  /** Asks the user a question of the agent. */
  async askElicitation(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    const answer = await this.#ask<CreateElicitationResponse>(signal, { action: 'cancel' }, (id, settle) => ({
      type: 'elicitation',
      id,
      request,
      answer: settle,
    }));
    if (request.mode === 'url' && answer.action === 'accept') {
      const { elicitationId: id, url } = request as unknown as { readonly elicitationId: string; readonly url: string };
      this.#change({ visits: [...this.#visits, { id, url }] });
    }
    return answer;
  }

  /** Removes a page: the agent or the user says that the user has finished it. */
  endVisit(id: string): void {
    if (this.#visits.some((visit) => visit.id === id))
      this.#change({ visits: this.#visits.filter((visit) => visit.id !== id) });
  }

  /** Removes the pages at the end of the turn. */
  endTurn(): void {
    if (this.#visits.length > 0) this.#change({ visits: [] });
  }

  /** Removes the questions with their connection. The gateway asks them again on the next one. */
  detach(): void {
    this.#change({ list: [] });
  }

  #ask<Answer>(
    signal: AbortSignal,
    withdrawn: Answer,
    question: (id: number, answer: (given: Answer) => void) => OpenQuestion,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const id = ++lastId;
      const settle = (answer: Answer): void => {
        resolve(answer);
        this.#change({ list: this.#list.filter((each) => each.id !== id) });
      };
      signal.addEventListener('abort', () => settle(withdrawn), { once: true });
      this.#change({ list: [...this.#list, question(id, settle)] });
    });
  }

  #change({
    list = this.#list,
    visits = this.#visits,
  }: {
    readonly list?: readonly OpenQuestion[];
    readonly visits?: readonly PageVisit[];
  }): void {
    this.#list = list;
    this.#visits = visits;
    this.#onChange();
  }
}
