import type { HostElicitation } from '@turnwire/client';
import type { Answer, Question } from '@turnwire/permissions';
import type { ClientCapabilities, ContentBlock, EventAuthor, Peer, SessionUpdate } from '@turnwire/protocol';
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
import { elicitationOf } from './elicitation-of.ts';
import { extensionCalls } from './extension-calls.ts';
import { permissionAnswer, permissionRequest } from './permission-request.ts';
import { plainUpdate, saidQuestion, withTitleInContent } from '@turnwire/protocol/translation';
import { isPromptEcho } from './prompt-echo.ts';
import { eventFor, shownEvent } from './shown-event.ts';
import { ShownSettings } from './shown-settings.ts';
import { noChange, type ToldLosses } from './told-losses.ts';

/** Options of an {@link AcpSubscriber}. */
export interface AcpSubscriberOptions {
  /** The id by which the client knows the session. */
  readonly sessionId: string;
  readonly peer: Peer<'agent'>;
  readonly author: EventAuthor;
  readonly role: Subscriber['role'];
  readonly isOwner: boolean;
  readonly capabilities: ClientCapabilities;
  /** The client understands `_turnwire/event`, which carries events without an update in the protocol. */
  readonly readsEvents: boolean;
  /** The client receives events in batches, as `_turnwire/events`, including its own prompts and every update. */
  readonly readsBatches: boolean;
  /** The client shows its own prompts when they appear in the log, like those of others, not when it sends them. */
  readonly readsOwnPrompts: boolean;
  /** The client has a user who answers permission requests. */
  readonly asks: boolean;
  /** The user may be asked if a turn may exceed a limit. */
  readonly decidesLimits: boolean;
  /** The losses that the client knows about. */
  readonly losses: ToldLosses;
  readonly ended: (subscription: object) => void;
}

/** Sends the events and permission requests of a session to a remote client, as messages of the protocol. */
export class AcpSubscriber implements Subscriber {
  readonly #options: AcpSubscriberOptions;
  /** The JSON of `session/update` parameters, up to the update. */
  readonly #head: string;
  readonly #settings = new ShownSettings();
  /** The last prompt. */
  #prompt: readonly ContentBlock[] = [];

  constructor(options: AcpSubscriberOptions) {
    this.#options = options;
    this.#head = `{"sessionId":${JSON.stringify(options.sessionId)},"update":`;
  }

  get author(): EventAuthor {
    return this.#options.author;
  }

  get role(): Subscriber['role'] {
    return this.#options.role;
  }

  get isOwner(): boolean {
    return this.#options.isOwner;
  }

  get decidesLimits(): boolean {
    return this.#options.decidesLimits;
  }

  get readsEvents(): boolean {
    return this.#options.readsEvents;
  }

  get capabilities(): ClientCapabilities {
    return this.#options.capabilities;
  }

  get changed(): Subscriber['changed'] {
    return this.readsEvents ? (change) => this.#changed(change) : undefined;
  }

  get askPermission(): Subscriber['askPermission'] {
    return this.#options.asks ? (question, signal) => this.#askPermission(question, signal) : undefined;
  }

  get elicitation(): HostElicitation | undefined {
    return elicitationOf(this.#options.peer, this.capabilities);
  }

  get files(): Subscriber['files'] {
    const { peer, sessionId } = this.#options;
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
    const { peer, sessionId } = this.#options;
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
    return extensionCalls(this.#options.peer);
  }

  ended(subscription: object): void {
    this.#options.ended(subscription);
  }

  /** Waits only for the last frame: the transport keeps the order of frames. */
  receive(events: readonly LoggedEvent[], historyEnd: number): Promise<unknown> | undefined {
    if (this.#options.readsBatches) return this.#sendBatch(events);
    let sending: Promise<unknown> | undefined;
    for (const logged of events) sending = this.#send(logged, historyEnd);
    return sending;
  }

  #sendBatch(events: readonly LoggedEvent[]): Promise<void> {
    const { peer, sessionId, capabilities } = this.#options;
    const batch = joinedTexts(events).map(({ event, epoch, sequence }) => ({
      cursor: cursorText({ epoch, sequence }),
      event: eventFor(event, capabilities),
    }));
    return peer.raw.notify('_turnwire/events', { sessionId, events: batch });
  }

  #send(logged: LoggedEvent, historyEnd: number): Promise<unknown> | undefined {
    const { event } = logged;
    const { author, readsEvents, readsOwnPrompts, capabilities } = this.#options;
    if (event.type === 'prompt') this.#prompt = event.content;
    if (event.type === 'update') return this.#sendUpdate(event, logged);
    if (event.type === 'child-update' && !readsEvents) return this.#sendOfChild(event, logged);
    const isOwn = event.by?.connection === author.connection && logged.sequence > historyEnd;
    const shown = shownEvent(event, { readsEvents, isOwn: isOwn && !readsOwnPrompts, capabilities });
    if (shown.updates === undefined) return this.#notifyEvent(shown.event, logged);
    let sending: Promise<unknown> | undefined;
    for (const update of shown.updates)
      if (this.#isNews(update)) sending = this.#notifyUpdate(JSON.stringify(update), logged);
    return sending;
  }

  /** Sends an update as it is in the log if version 1 has it; otherwise in the form of version 1, with the lost parts in `_meta`. */
  #sendUpdate(event: SessionEvent & { readonly type: 'update' }, logged: LoggedEvent): Promise<unknown> | undefined {
    const { readsEvents, capabilities, losses } = this.#options;
    const { update, said } = event;
    if (!readsEvents && isPromptEcho(this.#prompt, event)) return undefined;
    if (said === undefined && plainUpdate(update, capabilities) === update)
      return this.#isNews(update) ? this.#notifyUpdate(updateText(event, logged.payload), logged) : undefined;
    let sending: Promise<unknown> | undefined;
    for (const { update: plain, lost } of losses.updatesFor(event))
      if (this.#isNews(plain) || lost) sending = this.#notifyUpdate(JSON.stringify(plain), logged, lost);
    return sending;
  }

  /** Clients that read events receive the log as it is. */
  #isNews(update: SessionUpdate): boolean {
    return this.#settings.isNews(update) || this.#options.readsEvents;
  }

  /** An update of a child session. Clients that do not announce that they show those receive it in `_meta`. */
  #sendOfChild(childUpdate: SessionEvent & { readonly type: 'child-update' }, logged: LoggedEvent) {
    const { peer, losses } = this.#options;
    const { update, lost } = losses.ofChild(childUpdate);
    if (update === undefined) return lost && this.#notifyUpdate(JSON.stringify(noChange), logged, lost);
    const _meta = { turnwire: { cursor: cursorText(logged), at: logged.event.at, ...(lost && { lost }) } };
    return peer.notify('session/update', { sessionId: childUpdate.child, update, _meta });
  }

  /** Passes on the update in the JSON text of the log. */
  #notifyUpdate(update: string, logged: LoggedEvent, lost?: object): Promise<void> | undefined {
    const { event } = logged;
    const turn = event.type === 'prompt' ? `,"turnId":${JSON.stringify(event.turnId)}` : '';
    const by = event.by ? `,"by":${JSON.stringify(event.by)}` : '';
    const missing = lost ? `,"lost":${JSON.stringify(lost)}` : '';
    const turnwire = `{"cursor":"${cursorText(logged)}","at":${event.at}${turn}${by}${missing}}`;
    const params = `${this.#head}${update},"_meta":{"turnwire":${turnwire}}}`;
    return this.#options.peer.raw.notifyWritten('session/update', params, this.#options.sessionId);
  }

  #notifyEvent(event: SessionEvent, cursor: Cursor): Promise<void> {
    const { peer, sessionId } = this.#options;
    return peer.notify('_turnwire/event', { sessionId, cursor: cursorText(cursor), event });
  }

  #changed({ waiting, state }: SessionChange): Promise<unknown> {
    const { peer, sessionId } = this.#options;
    return Promise.all([
      waiting && peer.notify('_turnwire/queue', { sessionId, waiting }),
      state && peer.notify('_turnwire/state', { sessionId, state }),
    ]);
  }

  async #askPermission(question: Question, signal: AbortSignal): Promise<Answer> {
    const { peer, sessionId, isOwner, readsEvents } = this.#options;
    const { title } = readsEvents ? {} : saidQuestion(question.request);
    const request = withTitleInContent(permissionRequest(question, { sessionId, isOwner }), title);
    return permissionAnswer(question, await peer.request('session/request_permission', request, { signal }), isOwner);
  }
}
