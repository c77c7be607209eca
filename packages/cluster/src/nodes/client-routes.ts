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
import type { NodeState, SessionLocator } from './node-state.ts';

/** Whose sessions may be on which nodes. */
export interface ClientRoutesOptions extends RoutedClient {
  readonly node: SessionLocator;
  /** The shared secret of all nodes. Without it, sessions of other nodes cannot be reached. */
  readonly secret: string | undefined;
}

/** Requests that may wait for their node before reading from the client pauses. */
const maxWaiting = 100;
/** The start of an answer or request from another node. */
const withId = '{"jsonrpc":"2.0","id":';

type Target = NodeLink | 'here';
interface SessionFrame {
  readonly about: FrameAbout;
  readonly sessionId: string;
}

type RequestId = Exclude<FrameAbout['id'], undefined>;

/**
 * Routes the messages of a client whose sessions may be on several nodes. Messages about a session of another node go there over a link as text, and
 * messages from there reach the client without being parsed. This node serves the rest through the routes as a transport.
 * | When another node ends or gives a session retry, the client's connection ends: the client reconnects with its cursors.
 */
export class ClientRoutes implements Transport {
  readonly #client: Transport;
  readonly #options: ClientRoutesOptions;
  #here: FrameReceiver | undefined;
  #initialize = '';
  /** Links by node number. */
  readonly #links = new Map<string, Promise<NodeLink>>();
  /** Links by the first id of their requests. */
  readonly #byFirstId = new Map<number, NodeLink>();
  #nextRange = 1;
  /** The client's sessions on other nodes. */
  readonly #elsewhere = new Map<string, NodeLink>();
  /** Sessions whose node is being looked up. */
  readonly #finding = new Map<string, Promise<void>>();
  /** Requests for a new session that were sent to another node. */
  readonly #creating = new Map<RequestId, NodeLink>();
  readonly #frames: RelayedFrames | undefined;
  readonly #waiting = new Set<Promise<void>>();
  #isOver = false;

  constructor(client: Transport, options: ClientRoutesOptions) {
    this.#client = client;
    this.#options = options;
    this.#frames = options.needsFrameAbout ? new RelayedFrames() : undefined;
  }

  start(here: FrameReceiver): void {
    this.#here = here;
    this.#client.start({
      frame: (text, about) => this.#receive(text, this.#frames?.read('client', text) ?? about),
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

  #receive(text: string, known: FrameAbout | undefined): Promise<void> | undefined {
    const about = known?.message === undefined ? frameAbout(parsed(text)) : known;
    const { kind, method, id, sessionId } = about;
    if (about.message === undefined) return this.#here?.frame(text);
    if (kind === 'answer') return this.#forward(text, { about, target: this.#requesterOf(id) });
    if (sessionId !== undefined) return this.#aboutSession(text, { about, sessionId });
    if (method === 'session/new') return this.#wait(this.#create(text, about));
    if (method === 'initialize') this.#initialize = text;
    // Only the node that has the request knows its id.
    if (method === '$/cancel_request') for (const link of this.#byFirstId.values()) void link.send(text);
    return this.#here?.frame(text, about);
  }

  /** The node that waits for an answer with this id. */
  #requesterOf(id: FrameAbout['id']): Target {
    const range = typeof id === 'number' ? Math.floor(id / idsOfLink) * idsOfLink : 0;
    return this.#byFirstId.get(range) ?? 'here';
  }

  #aboutSession(text: string, known: SessionFrame): Promise<void> | undefined {
    const { about, sessionId } = known;
    const finding = this.#finding.get(sessionId);
    if (finding) return this.#wait(finding.then(() => this.#aboutSession(text, known)));
    const { method = '' } = about;
    const isLookedUp = findsSession.has(method) || (method === readsSession && !this.#elsewhere.has(sessionId));
    if (!isLookedUp) return this.#forward(text, { about, target: this.#elsewhere.get(sessionId) ?? 'here' });
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

  /** Lets other frames continue in the meantime, unless many wait. */
  #wait(work: Promise<void>): Promise<void> | undefined {
    this.#waiting.add(work);
    void work.finally(() => this.#waiting.delete(work));
    return this.#waiting.size > maxWaiting ? work : undefined;
  }

  /** Creates a session on the least busy node that can have it. */
  async #create(text: string, about: FrameAbout): Promise<void> {
    const { node, agent, secret } = this.#options;
    const { cwd } = ((about.message as { readonly params?: object }).params ?? {}) as { readonly cwd?: unknown };
    const other = secret !== undefined && typeof cwd === 'string' ? node.leastBusy({ agent, cwd }) : undefined;
    const link = other && (await this.#linkTo(other).catch(() => undefined));
    if (link && about.id !== undefined) this.#creating.set(about.id, link);
    await this.#forward(text, { about, target: link ?? 'here' });
  }

  /** Sends a frame about a session to its node. The frame waits while that node is being replaced. */
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
          `The session ${sessionId} is on another server of the database, and this server lacks the shared secret of the cluster`,
        );
      // The node may have been killed: then this node can take the session when that node is removed, or its lease is over.
      const retry = node.unreachable.until(owner.number);
      const link = retry
        ? undefined
        : await this.#linkTo(owner).catch((error: unknown) => void (failure = error as Error));
      if (link) return link;
      const isOver = (): boolean => this.#isOver || performance.now() > until;
      if (isOver())
        throw new Error(
          `The server that has the session ${sessionId} cannot be reached${failure ? `: ${failure.message}` : ''}`,
          { cause: failure },
        );
      await (retry ??
        node.unreachable.retry({
          number: owner.number,
          isThere: () => node.isThere(owner.number),
          isOver: async () => isOver() || (await this.#isReachedOrRemoved(owner)),
        }));
    }
  }

  /** Tries a node again. A killed one is removed before its lease ends. */
  async #isReachedOrRemoved(node: NodeState): Promise<boolean> {
    const failure = await this.#linkTo(node).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if (!failure) return true;
    return isRefused(failure) && (await this.#options.node.removeKilled(node.number));
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
    if (address === null) throw new Error('the node has published no address');
    const { principal, agent, secret = '' } = this.#options;
    const firstId = idsOfLink * this.#nextRange++;
    const link = await NodeLink.open(
      { address, agent, secret, principal, firstId, initialize: this.#initialize },
      {
        frame: (text) => this.#forwardToClient(text),
        end: () => {
          this.#links.delete(number);
          // The client's sessions there are lost. It reconnects and is routed to their new node.
          if (!this.#isOver) void this.close();
        },
      },
    );
    if (this.#isOver) void link.close();
    this.#byFirstId.set(firstId, link);
    return link;
  }

  /** Forwards a frame of another node to the client, mostly unparsed. */
  #forwardToClient(text: string): Promise<void> | undefined {
    if (this.#creating.size > 0 && text.startsWith(withId)) this.#recordCreated(text);
    return this.#client.send(text, this.#frames?.read('agent', text));
  }

  /** Records the session in an answer to `session/new`. */
  #recordCreated(text: string): void {
    const { id, result } = parsed(text) as {
      readonly id: RequestId;
      readonly result?: { readonly sessionId?: string };
    };
    const link = this.#creating.get(id);
    if (!link) return;
    this.#creating.delete(id);
    if (result?.sessionId !== undefined) this.#elsewhere.set(result.sessionId, link);
  }

  #closeLinks(): void {
    this.#isOver = true;
    for (const link of this.#links.values()) void link.then((each) => each.close()).catch(() => undefined);
  }
}

/** Methods that open a session, or delete one that the client may not have open. */
const findsSession: ReadonlySet<string> = new Set(['session/load', 'session/resume', 'session/delete', 'session/fork']);

/** Reads a session that the client may not have open. */
const readsSession = '_turnwire/history';

/** Whether the machine of a node is up, but nothing listens at the address of the node. */
function isRefused({ cause }: Error): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === 'ECONNREFUSED';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
