import type { HostElicitation } from '@turnwire/client';
import type { ClientCapabilities, RequestId, ResumeSessionResponse } from '@turnwire/protocol';
import { shownOptions } from '@turnwire/protocol/translation';
import { soon } from '@turnwire/machine/waits';
import {
  cursorText,
  type Session,
  type Subscriber,
  type Subscription,
  type SubscriptionStart,
} from '@turnwire/runtime';
import type { Principal } from '../auth/principal.ts';
import { AcpSubscriber } from './acp-subscriber.ts';
import { ArrivingPrompts } from './arriving-prompts.ts';
import type { ClientSubscriber } from './client-subscriber.ts';
import type { ClientSessions, SessionsOwner } from './client-sessions.ts';
import { onlyObserves } from './connection-refusals.ts';
import { type ClientPeer, elicitationOf, isVersion2 } from './elicitation-of.ts';
import { type OpenedSession, OpenedSessions } from './opened-sessions.ts';
import { ToldLosses } from './told-losses.ts';
import { turnUpTo } from './turn-up-to.ts';
import { turnwireMeta } from './turnwire-meta.ts';
import { V2Subscriber } from './v2/v2-subscriber.ts';

/** The state of a client's connection, which the handlers of its messages share. */
export class ClientState {
  /** The id of the connection. */
  readonly id: string;
  readonly peer: ClientPeer;
  readonly sessions: ClientSessions;
  readonly owner: SessionsOwner;
  readonly opened: OpenedSessions = new OpenedSessions();
  readonly arriving: ArrivingPrompts = new ArrivingPrompts();
  /** By session, also after a client has closed it: each loss is reported once. */
  readonly #losses = new Map<string, ToldLosses>();
  capabilities: ClientCapabilities = {};
  /** The name that the client gives itself. */
  name = 'unknown';

  constructor({ id, peer, sessions, owner }: Pick<ClientState, 'id' | 'peer' | 'sessions' | 'owner'>) {
    this.id = id;
    this.peer = peer;
    this.sessions = sessions;
    this.owner = owner;
  }

  get principal(): Principal {
    return this.owner.principal;
  }

  /** Whether the client wants its answer before the agent runs, and starts the agent itself. */
  get startsLater(): boolean {
    return turnwireMeta(this.capabilities._meta)['startsLater'] === true;
  }

  /** Whether the client reads the log of the gateway instead of updates. */
  get readsEvents(): boolean {
    return turnwireMeta(this.capabilities._meta)['events'] === true;
  }

  /** A session that the client may change. Throws the ProtocolError to answer with if it is not open, or opened as an observer. */
  controlled(sessionId: string): OpenedSession {
    return this.opened.controlled(sessionId);
  }

  /** Throws the ProtocolError to answer with if the client may only watch. */
  refuseObserver(): void {
    if (this.principal.scope === 'observe') throw onlyObserves();
  }

  /** Asks the client questions that belong to a request of this client, such as a login. Undefined: it answers none. */
  questionsOf(requestId: RequestId): HostElicitation | undefined {
    return elicitationOf(this.peer, this.capabilities, (request, send) => send({ ...request, requestId }));
  }

  /** Subscribes the client to a session, in place of an earlier subscription. `answer` is the common part of the answers that open a session. */
  async subscribe(
    host: Session,
    { role, ...start }: SubscriptionStart & { readonly role: Subscriber['role'] },
  ): Promise<{
    readonly subscriber: ClientSubscriber;
    readonly subscription: Subscription;
    readonly answer: ResumeSessionResponse;
  }> {
    this.opened.detach(host.id);
    const subscriber = this.#subscriberOf(host, role);
    subscriber.recall?.(await turnUpTo(host, start.after));
    const { subscription, gap } = await host.subscribe(subscriber, start);
    this.opened.set({ host, subscriber, subscription });
    void subscription.replayed.then(() => soon(() => subscription.goLive()));
    const { modes, configOptions } = host.facts;
    return {
      subscriber,
      subscription,
      answer: {
        ...(modes && { modes }),
        ...(configOptions && { configOptions: shownOptions(configOptions, this.capabilities) }),
        _meta: { turnwire: { cursor: cursorText(host.head), role, state: host.state, ...(gap && { gap }) } },
      },
    };
  }

  #subscriberOf(host: Session, role: Subscriber['role']): ClientSubscriber {
    const common = {
      sessionId: host.id,
      author: { connection: this.id, client: this.name },
      role,
      isOwner: this.principal.isOwner === true,
      capabilities: this.capabilities,
      ended: (ended: object) => this.opened.ended(host.id, ended),
    };
    if (isVersion2(this.peer)) return new V2Subscriber({ peer: this.peer, ...common, facts: () => host.facts });
    const { batches, ownPrompts, asks, decidesLimits } = turnwireMeta(this.capabilities._meta);
    const losses = this.#losses.get(host.id) ?? new ToldLosses(this.capabilities);
    this.#losses.set(host.id, losses);
    return new AcpSubscriber({
      losses,
      ...common,
      peer: this.peer,
      readsEvents: this.readsEvents,
      readsBatches: this.readsEvents && batches === true,
      readsOwnPrompts: ownPrompts === true,
      asks: asks !== false,
      decidesLimits: decidesLimits !== false,
    });
  }
}
