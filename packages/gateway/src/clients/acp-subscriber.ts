import type { HostElicitation } from '@turnwire/client';
import type { Answer, Question } from '@turnwire/permissions';
import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  EventAuthor,
  ExtensionMethod,
  Peer,
} from '@turnwire/protocol';
import {
  type Cursor,
  cursorText,
  type ExtensionCalls,
  joinedTexts,
  type LoggedEvent,
  type SessionChange,
  type Subscriber,
  type TerminalRequests,
  updateText,
} from '@turnwire/runtime';
import type { SessionEvent } from '@turnwire/client/gateway';
import { answeredPermission, askedPermission } from './asked-permission.ts';
import { eventFor, isShownAsItIs, shownEvent } from './shown-event.ts';

/** A client that subscribes to a session. */
export interface AcpSubscriberParts {
  /** Of the session, as the client knows it. */
  readonly sessionId: string;
  readonly peer: Peer<'agent'>;
  readonly author: EventAuthor;
  readonly role: Subscriber['role'];
  readonly isOwner: boolean;
  readonly capabilities: ClientCapabilities;
  /** It understands `_turnwire/event`, which carries what the protocol has no update for. */
  readonly readsEvents: boolean;
  /** It receives events many at a time, as `_turnwire/events`, its own prompts and every update among them. */
  readonly readsBatches: boolean;
  /** It shows its own prompts when the log has them, as those of others, and not when it sends them. */
  readonly readsOwnPrompts: boolean;
  /** It has a user who answers permission requests. */
  readonly asks: boolean;
  readonly ended: (subscription: object) => void;
}

/** Sends events and questions to a client elsewhere as messages of the protocol. */
export class AcpSubscriber implements Subscriber {
  readonly #parts: AcpSubscriberParts;
  /** The parameters of its updates, up to the update. */
  readonly #head: string;

  constructor(parts: AcpSubscriberParts) {
    this.#parts = parts;
    this.#head = `{"sessionId":${JSON.stringify(parts.sessionId)},"update":`;
  }

  get author(): EventAuthor {
    return this.#parts.author;
  }

  get role(): Subscriber['role'] {
    return this.#parts.role;
  }

  get isOwner(): boolean {
    return this.#parts.isOwner;
  }

  get readsEvents(): boolean {
    return this.#parts.readsEvents;
  }

  get capabilities(): ClientCapabilities {
    return this.#parts.capabilities;
  }

  get changed(): Subscriber['changed'] {
    return this.readsEvents ? (change) => this.#changed(change) : undefined;
  }

  get askPermission(): Subscriber['askPermission'] {
    return this.#parts.asks ? (question, signal) => this.#askPermission(question, signal) : undefined;
  }

  get elicitation(): HostElicitation | undefined {
    const { form, url } = this.capabilities.elicitation ?? {};
    if (!form && !url) return undefined;
    const ask = (
      request: CreateElicitationRequest,
      { signal }: { readonly signal: AbortSignal },
    ): Promise<CreateElicitationResponse> => this.#parts.peer.request('elicitation/create', request, { signal });
    return {
      ...(form && { form: ask }),
      ...(url && {
        url: ask,
        complete: (elicitationId) =>
          void this.#parts.peer.notify('elicitation/complete', { elicitationId }).catch(() => undefined),
      }),
    };
  }

  get files(): Subscriber['files'] {
    const { peer, sessionId } = this.#parts;
    const { readTextFile, writeTextFile } = this.capabilities.fs ?? {};
    return {
      ...(readTextFile === true && {
        readTextFile: (request, { signal }) => peer.request('fs/read_text_file', { ...request, sessionId }, { signal }),
      }),
      ...(writeTextFile === true && {
        writeTextFile: (request, { signal }) =>
          peer.request('fs/write_text_file', { ...request, sessionId }, { signal }),
      }),
    };
  }

  get terminals(): TerminalRequests | undefined {
    const { peer, sessionId } = this.#parts;
    if (this.capabilities.terminal !== true) return undefined;
    return {
      create: (request, { signal }) => peer.request('terminal/create', { ...request, sessionId }, { signal }),
      output: ({ terminalId }, { signal }) => peer.request('terminal/output', { sessionId, terminalId }, { signal }),
      waitForExit: ({ terminalId }, { signal }) =>
        peer.request('terminal/wait_for_exit', { sessionId, terminalId }, { signal }),
      kill: ({ terminalId }, { signal }) => peer.request('terminal/kill', { sessionId, terminalId }, { signal }),
      release: ({ terminalId }, { signal }) => peer.request('terminal/release', { sessionId, terminalId }, { signal }),
    };
  }

  get extensions(): ExtensionCalls {
    const { peer } = this.#parts;
    return {
      request: (method, params, signal) => peer.request(method as ExtensionMethod, params, { signal }),
      notify: (method, params) => void peer.notify(method as ExtensionMethod, params).catch(() => undefined),
    };
  }

  ended(subscription: object): void {
    this.#parts.ended(subscription);
  }

  /** Waits for the last frame only: the transport takes frames in order. */
  receive(events: readonly LoggedEvent[], historyEnd: number): Promise<unknown> | undefined {
    if (this.#parts.readsBatches) return this.#sendBatch(events);
    let sending: Promise<unknown> | undefined;
    for (const logged of events) sending = this.#send(logged, historyEnd);
    return sending;
  }

  #sendBatch(events: readonly LoggedEvent[]): Promise<void> {
    const { peer, sessionId, capabilities } = this.#parts;
    const batch = joinedTexts(events).map(({ event, epoch, sequence }) => ({
      cursor: cursorText({ epoch, sequence }),
      event: eventFor(event, capabilities),
    }));
    return peer.raw.notify('_turnwire/events', { sessionId, events: batch });
  }

  #send(logged: LoggedEvent, historyEnd: number): Promise<unknown> | undefined {
    const { event } = logged;
    const { author, readsEvents, readsOwnPrompts, capabilities } = this.#parts;
    if (event.type === 'update' && isShownAsItIs(event))
      return this.#notifyUpdate(updateText(event, logged.payload), logged);
    const isOwn = event.by?.connection === author.connection && logged.sequence > historyEnd;
    const shown = shownEvent(event, { readsEvents, isOwn: isOwn && !readsOwnPrompts, capabilities });
    if (shown.updates === undefined) return this.#notifyEvent(shown.event, logged);
    // Updates were checked when they came from the agent; those that this version does not know are passed on as well.
    let sending: Promise<unknown> | undefined;
    for (const update of shown.updates) sending = this.#notifyUpdate(JSON.stringify(update), logged);
    return sending;
  }

  /** Updates are passed on as they were written for the log. */
  #notifyUpdate(update: string, logged: LoggedEvent): Promise<void> | undefined {
    const { event } = logged;
    const turn = event.type === 'prompt' ? `,"turnId":${JSON.stringify(event.turnId)}` : '';
    const by = event.by ? `,"by":${JSON.stringify(event.by)}` : '';
    const turnwire = `{"cursor":"${cursorText(logged)}","at":${event.at}${turn}${by}}`;
    const params = `${this.#head}${update},"_meta":{"turnwire":${turnwire}}}`;
    return this.#parts.peer.raw.notifyWritten('session/update', params, this.#parts.sessionId);
  }

  #notifyEvent(event: SessionEvent, cursor: Cursor): Promise<void> {
    const { peer, sessionId } = this.#parts;
    return peer.notify('_turnwire/event', { sessionId, cursor: cursorText(cursor), event });
  }

  #changed({ waiting, state }: SessionChange): Promise<unknown> {
    const { peer, sessionId } = this.#parts;
    return Promise.all([
      waiting && peer.notify('_turnwire/queue', { sessionId, waiting }),
      state && peer.notify('_turnwire/state', { sessionId, state }),
    ]);
  }

  async #askPermission(question: Question, signal: AbortSignal): Promise<Answer> {
    const { peer, sessionId, isOwner } = this.#parts;
    const asked = askedPermission(question, { sessionId, isOwner });
    return answeredPermission(question, await peer.request('session/request_permission', asked, { signal }), isOwner);
  }
}
