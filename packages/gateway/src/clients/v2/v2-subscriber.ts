import type { HostElicitation } from '@turnwire/client';
import type { SessionEvent } from '@turnwire/client/gateway';
import { type Answer, isOfHost, type Question } from '@turnwire/permissions';
import type { ClientCapabilities, EventAuthor, Params, Peer, RequestPermissionRequest } from '@turnwire/protocol';
import { permissionOutcomeInVersion1, permissionRequestInVersion2, saidQuestion } from '@turnwire/protocol/translation';
import type { SessionUpdate, V2 } from '@turnwire/protocol/v2';
import {
  cursorText,
  type ExtensionCalls,
  type LoggedEvent,
  type SessionFacts,
  type Subscriber,
  updateText,
} from '@turnwire/runtime';
import type { ClientSubscriber, PromptIdentity } from '../client-subscriber.ts';
import { elicitationOf } from '../elicitation-of.ts';
import { extensionCalls } from '../extension-calls.ts';
import { permissionAnswer, permissionRequest } from '../permission-request.ts';
import { EventsInVersion2 } from './events-in-version-2.ts';

/** Options of a {@link V2Subscriber}. */
export interface V2SubscriberOptions {
  /** The id by which the client knows the session. */
  readonly sessionId: string;
  readonly peer: Peer<'agent', V2>;
  readonly author: EventAuthor;
  readonly role: Subscriber['role'];
  readonly isOwner: boolean;
  /** Those of version 1. */
  readonly capabilities: ClientCapabilities;
  readonly facts: () => SessionFacts;
  readonly ended: (subscription: object) => void;
}

/** A request that waits until its prompt is part of the conversation. */
interface Insertion {
  readonly which: PromptIdentity;
  readonly callback: (messageId: string) => void;
}

/** Sends the events and questions of a session to a client of version 2. The gateway serves files and terminals to the agent. */
export class V2Subscriber implements ClientSubscriber {
  readonly readsEvents = false;
  readonly decidesLimits = true;
  readonly #options: V2SubscriberOptions;
  readonly #events: EventsInVersion2;
  /** The JSON of `session/update` parameters, up to the update. */
  readonly #head: string;
  /** Called when the message of a prompt was sent. */
  readonly #insertions = new Set<Insertion>();
  /** The event whose updates are sent. */
  #event: LoggedEvent | undefined;
  /** The client has the events, so their updates are not sent. */
  #isRecalling = false;
  /** Resolves when the connection has accepted the last update. Undefined: it has. */
  #sending: Promise<void> | undefined;

  constructor(options: V2SubscriberOptions) {
    this.#options = options;
    this.#head = headFor(options.sessionId);
    this.#events = new EventsInVersion2({ send: (update, child) => this.#send(update, child), facts: options.facts });
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

  get capabilities(): ClientCapabilities {
    return this.#options.capabilities;
  }

  get elicitation(): HostElicitation | undefined {
    return elicitationOf(this.#options.peer, this.capabilities, (request, send) => {
      const { toolCallId } = request as { readonly toolCallId?: string | null };
      return this.#events.foreground.asking(toolCallId ?? undefined, () => send(request));
    });
  }

  get extensions(): ExtensionCalls {
    return extensionCalls(this.#options.peer);
  }

  ended(subscription: object): void {
    this.#options.ended(subscription);
  }

  /** Reads events that the client has: later updates continue their messages and terminals. */
  recall(events: readonly LoggedEvent[]): void {
    this.#isRecalling = true;
    for (const { event, ...cursor } of events) this.#events.add({ id: cursorText(cursor), event });
    this.#isRecalling = false;
  }

  receive(events: readonly LoggedEvent[], historyEnd: number): Promise<unknown> | undefined {
    this.#sending = undefined;
    for (const logged of events) {
      const { event, sequence } = logged;
      if (sequence > historyEnd) this.#events.goLive();
      this.#event = logged;
      this.#events.add({ id: cursorText(logged), event });
      this.#event = undefined;
      if (event.type === 'prompt') this.#inserted(event);
    }
    return this.#sending;
  }

  /** Ends the history, before the answer that opens the session. @param isWorking whether a turn is running */
  opened({ isReplay, isWorking }: { readonly isReplay: boolean; readonly isWorking: boolean }): void {
    if (isReplay) this.#events.endReplay();
    if (isWorking) {
      this.#events.foreground.begin();
      this.#events.foreground.inserted();
    }
    this.#events.goLive();
    this.#events.foreground.report();
  }

  /** Calls back when the message of a prompt has been sent to the client. */
  onInserted(which: PromptIdentity, callback: (messageId: string) => void): () => void {
    const insertion = { which, callback };
    this.#insertions.add(insertion);
    return () => void this.#insertions.delete(insertion);
  }

  readonly askPermission: Subscriber['askPermission'] = (question: Question, signal: AbortSignal): Promise<Answer> => {
    const { peer, sessionId, isOwner } = this.#options;
    const request = permissionRequest(question, { sessionId, isOwner });
    return this.#events.foreground.asking(request.toolCall.toolCallId, async () => {
      const asked = {
        ...permissionRequestInVersion2(request),
        ...(isOfHost(request) && hostSubject(request)),
        ...saidQuestion(question.request),
      };
      const { outcome } = await peer.request('session/request_permission', asked, { signal });
      return permissionAnswer(question, { outcome: permissionOutcomeInVersion1(outcome) }, isOwner);
    });
  };

  #inserted({ turnId, key }: Extract<SessionEvent, { readonly type: 'prompt' }>): void {
    for (const { which, callback } of this.#insertions)
      if ('key' in which ? which.key === key : which.turnId === turnId) callback(turnId);
  }

  /** Passes on an update that is in the log in the JSON text of the log. */
  #send(update: SessionUpdate, child?: string): void {
    if (this.#isRecalling) return;
    const { peer, sessionId } = this.#options;
    const logged = this.#event;
    const isStored = logged?.event.type === 'update' && (logged.event.update as object) === update;
    const text = isStored ? updateText(logged.event, logged.payload) : JSON.stringify(update);
    const head = child === undefined ? this.#head : headFor(child);
    const meta = logged ? `,"_meta":{"turnwire":{"cursor":"${cursorText(logged)}","at":${logged.event.at}}}` : '';
    this.#sending = peer.raw.notifyWritten('session/update', `${head}${text}${meta}}`, sessionId);
  }
}

function headFor(sessionId: string): string {
  return `{"sessionId":${JSON.stringify(sessionId)},"update":`;
}

/** A command that no tool call has announced: otherwise the question would announce a call, which nothing would end. */
function hostSubject({ toolCall }: RequestPermissionRequest): Partial<Params<'session/request_permission', V2>> {
  const { command, cwd } = (toolCall.rawInput ?? {}) as { readonly command?: string; readonly cwd?: string };
  if (command === undefined || cwd === undefined) return { subject: null };
  return { title: `Allow “${command}”?`, subject: { type: 'command', command, cwd } };
}
