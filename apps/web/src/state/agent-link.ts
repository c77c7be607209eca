import { type Agent, errorText } from '@turnwire/client';
import type { WantedFork } from '@turnwire/client/extensions';
import { GatewayLink, type GatewaySession, type LinkState } from '@turnwire/client/gateway';
import type { AuthMethod, Transport } from '@turnwire/protocol';
import { webSocketTransport } from '@turnwire/transports/websocket';
import { loginToken } from '../server/login.ts';
import { fetchServerFacts, NotLoggedIn } from '../server/server-facts.ts';
import { noticeEnds } from './notices.ts';
import { SessionStore } from './session-store.ts';
import { Store } from './store.ts';

/** A login that the agent wants. */
export interface LoginChoice {
  readonly methods: readonly AuthMethod[];
  /** Why the last one failed. */
  readonly failure?: string | undefined;
  /** Logs in with the method that has this id; undefined: not now. */
  readonly choose: (id: string | undefined) => void;
}

/** A connection to one agent of the server, and the sessions that this window has on it. */
export class AgentLink {
  readonly name: string;
  readonly state: Store<LinkState> = new Store<LinkState>({ name: 'connecting' });
  /** Set while the agent wants a login. */
  readonly login: Store<LoginChoice | undefined> = new Store<LoginChoice | undefined>(undefined);
  readonly #link: GatewayLink;
  readonly #stores = new Set<SessionStore>();

  /** @param onChange called when the list of sessions may have changed */
  constructor(name: string, onChange: () => void) {
    this.name = name;
    this.#link = new GatewayLink({
      connect: () => connectTo(name),
      clientInfo: { name: 'turnwire-web', title: 'Browser', version: '0.1.0' },
      onState: (state) => this.state.set(state),
      onSessions: onChange,
      isLoggedIn,
    });
  }

  /** Undefined while there is no connection. */
  get agent(): Agent | undefined {
    return this.#link.agent;
  }

  /** Begins a session, or opens a stored one. It stays open while another one is shown, so that its questions are seen. */
  open(session: { readonly cwd: string; readonly id?: string | undefined }): SessionStore {
    const known = session.id === undefined ? undefined : this.find(session.id);
    if (known) return known;
    const store = this.#add(session);
    void this.#link.open(store.remote);
    return store;
  }

  /** Has the agent make a session of another, and opens it. Rejects if it makes none; undefined while there is no connection. */
  async fork(source: SessionStore, wanted: WantedFork): Promise<SessionStore | undefined> {
    if (!this.agent) return undefined;
    const { id, restored } = await source.remote.fork(wanted);
    const fork = this.#add({ id, cwd: source.cwd });
    await this.#link.open(fork.remote);
    if (restored !== undefined) fork.remark('The files of the turns that were left out', restored);
    return fork;
  }

  /** The session with an id, if this window has opened it. */
  find(id: string): SessionStore | undefined {
    return [...this.#stores].find((session) => session.id === id);
  }

  /** Opens a session again that could not be opened. */
  retry({ remote }: SessionStore): void {
    void this.#link.open(remote);
  }

  /** A session was deleted. */
  forget(id: string): void {
    const store = this.find(id);
    if (!store) return;
    this.#stores.delete(store);
    this.#link.forget(store.remote);
  }

  /** Connects at once instead of later, or finds out whether a connection that seems open is. */
  hurry(): void {
    this.#link.hurry();
  }

  /** The browser has no network: the connection is not waited for. */
  networkLost(): void {
    this.#link.disconnect();
  }

  #add(session: Pick<GatewaySession, 'cwd'> & { readonly id?: string | undefined }): SessionStore {
    const store = new SessionStore({ ...session, agentName: this.name, logIn: (agent) => this.#logIn(agent) });
    this.#stores.add(store);
    noticeEnds(store);
    return store;
  }

  /** Logs in as the user chooses; whether that was done. */
  async #logIn(agent: Agent): Promise<boolean> {
    const { authMethods: methods } = agent;
    // Without any, the code of the error means something else.
    if (methods.length === 0) return false;
    for (let failure: string | undefined; ;) {
      const methodId = await new Promise<string | undefined>((resolve) => {
        this.login.current?.choose(undefined);
        this.login.set({ methods, failure, choose: resolve });
      });
      this.login.set(undefined);
      if (methodId === undefined) return false;
      try {
        await agent.authenticate(methodId);
        return true;
      } catch (error) {
        failure = errorText(error);
      }
    }
  }
}

function connectTo(agentName: string): Transport {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  // A page can set no header: the server takes the token from the list of subprotocols.
  const protocols = ['acp', `bearer.${loginToken() ?? ''}`];
  return webSocketTransport(
    new WebSocket(`${scheme}://${location.host}${location.pathname}agents/${agentName}/acp`, protocols),
  );
}

/** A browser does not say why a WebSocket was refused, so the server is asked. */
function isLoggedIn(): Promise<boolean> {
  return fetchServerFacts().then(
    () => true,
    (error: unknown) => !(error instanceof NotLoggedIn),
  );
}
