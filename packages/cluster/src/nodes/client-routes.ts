import {
  errorCodes,
  type FrameAbout,
  frameAbout,
  type FrameReceiver,
  RelayedFrames,
  type Transport,
} from '@turnwire/protocol';
import type { RoutedClient } from '@turnwire/gateway';
import { idsOfLink, NodeLink } from './node-link.ts';
import type { NodeState, SessionPlaces } from './node-state.ts';

/** Whose sessions may be on which nodes. */
export interface ClientRoutesOptions extends RoutedClient {
  readonly node: SessionPlaces;
  /** What the nodes know each other by; without it sessions of other nodes cannot be had here. */
  readonly secret: string | undefined;
}

/** How many requests may wait to be led to a node before the client is read no further. */
const mostWaiting = 100;
/** What the frame of an answer, or of a request, of another node begins with. */
const withId = '{"jsonrpc":"2.0","id":';

type Target = NodeLink | 'here';
/** A frame about a session. */
interface SessionFrame {
  readonly about: FrameAbout;
  readonly sessionId: string;
}

type RequestId = Exclude<FrameAbout['id'], undefined>;

/**
 * A client whose sessions may be on several nodes: what concerns a session of another node goes there over a link, as text, and what comes
 * from there goes to the client without being parsed. It is the transport by which this node serves the rest.
 *
 * When another node ends, or gives a session away, the connection of the client ends: it comes back with its cursors.
 */
export class ClientRoutes implements Transport {
  readonly #client: Transport;
  readonly #options: ClientRoutesOptions;
  #here: FrameReceiver | undefined;
  #initialize = '';
  /** By the numbers of their nodes. */
  readonly #links = new Map<string, Promise<NodeLink>>();
  /** By the first ids of their requests. */
  readonly #byFirstId = new Map<number, NodeLink>();
  #nextRange = 1;
  /** The sessions that the client has on other nodes. */
  readonly #elsewhere = new Map<string, NodeLink>();
  /** Sessions of which it is being found out where they are. */
  readonly #finding = new Map<string, Promise<void>>();
  /** Requests for a new session that another node has been sent. */
  readonly #begun = new Map<RequestId, NodeLink>();
  readonly #frames: RelayedFrames | undefined;
  readonly #waiting = new Set<Promise<void>>();
  #isOver = false;

  constructor(client: Transport, options: ClientRoutesOptions) {
    this.#client = client;
    this.#options = options;
    this.#frames = options.tellsSessions ? new RelayedFrames() : undefined;
  }

  start(here: FrameReceiver): void {
    this.#here = here;
    this.#client.start({
      frame: (text, about) => this.#received(text, this.#frames?.read('client', text) ?? about),
      warning: (report) => here.warning(report),
      end: (reason) => {
        this.#closeLinks();
        here.end(reason);
      },
    });
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    return this.#client.send(frame, about);
  }

  async close(): Promise<void> {
    this.#closeLinks();
    await this.#client.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closeLinks();
    await this.#client[Symbol.asyncDispose]();
  }

  #received(text: string, known: FrameAbout | undefined): Promise<void> | undefined {
    const about = known?.message === undefined ? frameAbout(parsed(text)) : known;
    const { kind, method, id, sessionId } = about;
    if (about.message === undefined) return this.#here?.frame(text);
    if (kind === 'answer') return this.#forward(text, { about, target: this.#askedBy(id) });
    if (sessionId !== undefined) return this.#aboutSession(text, { about, sessionId });
    if (method === 'session/new') return this.#wait(this.#begin(text, about));
    if (method === 'initialize') this.#initialize = text;
    // Only the node that has the request knows its id.
    if (method === '$/cancel_request') for (const link of this.#byFirstId.values()) void link.send(text);
    return this.#here?.frame(text, about);
  }

  /** Which node waits for an answer with an id. */
  #askedBy(id: FrameAbout['id']): Target {
    const range = typeof id === 'number' ? Math.floor(id / idsOfLink) * idsOfLink : 0;
    return this.#byFirstId.get(range) ?? 'here';
  }

  #aboutSession(text: string, known: SessionFrame): Promise<void> | undefined {
    const { about, sessionId } = known;
    const finding = this.#finding.get(sessionId);
    if (finding) return this.#wait(finding.then(() => this.#aboutSession(text, known)));
    const { method = '' } = about;
    const isSought = findsSession.has(method) || (method === readsSession && !this.#elsewhere.has(sessionId));
    if (!isSought) return this.#forward(text, { about, target: this.#elsewhere.get(sessionId) ?? 'here' });
    const found = this.#find(text, known).finally(() => this.#finding.delete(sessionId));
    this.#finding.set(sessionId, found);
    return this.#wait(found);
  }

  #forward(
    text: string,
    { about, target }: { readonly about: FrameAbout; readonly target: Target },
  ): Promise<void> | undefined {
    return target === 'here' ? this.#here?.frame(text, about) : target.send(text);
  }

  /** Other frames go on meanwhile, unless many wait. */
  #wait(work: Promise<void>): Promise<void> | undefined {
    this.#waiting.add(work);
    void work.finally(() => this.#waiting.delete(work));
    return this.#waiting.size > mostWaiting ? work : undefined;
  }

  /** Begins a session on the least busy node that can have it. */
  async #begin(text: string, about: FrameAbout): Promise<void> {
    const { node, agent, secret } = this.#options;
    const { cwd } = ((about.message as { readonly params?: object }).params ?? {}) as { readonly cwd?: unknown };
    const other = secret !== undefined && typeof cwd === 'string' ? node.leastBusy({ agent, cwd }) : undefined;
    const link = other && (await this.#linkTo(other).catch(() => undefined));
    if (link && about.id !== undefined) this.#begun.set(about.id, link);
    await this.#forward(text, { about, target: link ?? 'here' });
  }

  /** Sends a frame about a session to the node that has it. While that node is being replaced it waits. */
  async #find(text: string, { about, sessionId }: SessionFrame): Promise<void> {
    try {
      const target = await this.#targetOf(sessionId);
      if (target === 'here') this.#elsewhere.delete(sessionId);
      else this.#elsewhere.set(sessionId, target);
      await this.#forward(text, { about, target });
    } catch (error) {
      if (about.id === undefined || this.#isOver) return;
      const { message } = error as Error;
      const answer = { jsonrpc: '2.0', id: about.id, error: { code: errorCodes.internalError, message } };
      await this.#client.send(JSON.stringify(answer), { ...about, kind: 'answer' });
    }
  }

  async #targetOf(sessionId: string): Promise<Target> {
    const { node, isOpenHere, principal, secret } = this.#options;
    if (isOpenHere(sessionId)) return 'here';
    const until = performance.now() + node.takeover;
    let failure: Error | undefined;
    for (;;) {
      const owner = await node.ownerOf({ tenant: principal.tenant, id: sessionId });
      if (typeof owner === 'string') return 'here';
      if (secret === undefined)
        throw new Error(
          `The session ${sessionId} is on another server of the database, and this one was not given the secret by which they know each other`,
        );
      // It may have been killed: then the session can be had here when its lease is over.
      const away = node.away.until(owner.number);
      const link = away
        ? undefined
        : await this.#linkTo(owner).catch((error: unknown) => void (failure = error as Error));
      if (link) return link;
      const isOver = (): boolean => this.#isOver || performance.now() > until;
      if (isOver())
        throw new Error(
          `The server that has the session ${sessionId} cannot be reached${failure ? `: ${failure.message}` : ''}`,
          { cause: failure },
        );
      await (away ??
        node.away.try({
          number: owner.number,
          isThere: () => node.isThere(owner.number),
          isOver: async () => isOver() || (await this.#linkTo(owner).then(Boolean, () => false)),
        }));
    }
  }

  #linkTo({ number, address }: NodeState): Promise<NodeLink> {
    const known = this.#links.get(number);
    if (known) return known;
    const link = this.#open(number, address);
    this.#links.set(number, link);
    link.catch(() => this.#links.delete(number));
    return link;
  }

  async #open(number: string, address: string | null): Promise<NodeLink> {
    if (address === null) throw new Error('it says no address');
    const { principal, agent, secret = '' } = this.#options;
    const firstId = idsOfLink * this.#nextRange++;
    const link = await NodeLink.open(
      { address, agent, secret, principal, firstId, initialize: this.#initialize },
      {
        frame: (text) => this.#sent(text),
        end: () => {
          this.#links.delete(number);
          // What the client has there is over. It comes back, and is led to where its sessions are then.
          if (!this.#isOver) void this.close();
        },
      },
    );
    if (this.#isOver) void link.close();
    this.#byFirstId.set(firstId, link);
    return link;
  }

  /** Another node has sent a frame for the client. Of most of them nothing has to be known. */
  #sent(text: string): Promise<void> | undefined {
    if (this.#begun.size > 0 && text.startsWith(withId)) this.#noteBegun(text);
    return this.#client.send(text, this.#frames?.read('agent', text));
  }

  /** The answer to `session/new` says which session is there. */
  #noteBegun(text: string): void {
    const { id, result } = parsed(text) as {
      readonly id: RequestId;
      readonly result?: { readonly sessionId?: string };
    };
    const link = this.#begun.get(id);
    if (!link) return;
    this.#begun.delete(id);
    if (result?.sessionId !== undefined) this.#elsewhere.set(result.sessionId, link);
  }

  #closeLinks(): void {
    this.#isOver = true;
    for (const link of this.#links.values()) void link.then((each) => each.close()).catch(() => undefined);
  }
}

/** Methods by which a client comes to a session, or disposes of one that it may not have open. */
const findsSession: ReadonlySet<string> = new Set(['session/load', 'session/resume', 'session/delete', 'session/fork']);

/** Reads a session that the client may not have open. */
const readsSession = '_turnwire/history';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
