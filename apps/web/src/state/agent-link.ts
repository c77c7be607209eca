import type { Agent } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import type { WantedFork } from '@turnwire/client/extensions';
import { GatewayLink, type GatewaySession, type LinkState } from '@turnwire/client/gateway';
import type { AuthMethod, Transport } from '@turnwire/protocol';
import { webSocketTransport } from '@turnwire/transports/websocket';
import { loginToken } from '../server/login.ts';
import { fetchServerFacts, NotLoggedIn } from '../server/server-facts.ts';
import { noticeEnds } from './notices.ts';
import { SessionStore } from './session-store.ts';
import { Store } from './store.ts';

/** A login that the agent requires. */
export interface LoginChoice {
  readonly methods: readonly AuthMethod[];
  /** Why the previous attempt failed. */
  readonly failure?: string | undefined;
  /** Logs in with the method that has this id; undefined postpones the login. */
  readonly choose: (id: string | undefined) => void;
}

/** A connection to one agent of the server, and this window's sessions on it. */
export class AgentLink {
  readonly name: string;
  readonly state: Store<LinkState> = new Store<LinkState>({ name: 'connecting' });
  /** Set while the agent requires a login. */
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

  /** Creates a session, or opens a stored one. It stays open while another one is shown, so that its questions appear. */
  open(session: { readonly cwd: string; readonly id?: string | undefined }): SessionStore {
    const known = session.id === undefined ? undefined : this.find(session.id);
    if (known) return known;
    const store = this.#add(session);
    void this.#link.open(store.remote);
    return store;
  }

  /** Forks a session and opens the fork. Rejects if the agent refuses; undefined while there is no connection. */
  async fork(source: SessionStore, wanted: WantedFork): Promise<SessionStore | undefined> {
    if (!this.agent) return undefined;
    const { id, restored } = await source.remote.fork(wanted);
    const fork = this.#add({ id, cwd: source.cwd });
    await this.#link.open(fork.remote);
    if (restored !== undefined) fork.addNotice('The files of the turns that were left out', restored);
    return fork;
  }

  /** The session with this id, if this window has opened it. */
  find(id: string): SessionStore | undefined {
    return [...this.#stores].find((session) => session.id === id);
  }

  /** Tries again to open a session that could not be opened. */
  retry({ remote }: SessionStore): void {
    void this.#link.open(remote);
  }

  /** Removes a deleted session. */
  forget(id: string): void {
    const store = this.find(id);
    if (!store) return;
    this.#stores.delete(store);
    this.#link.forget(store.remote);
  }

  /** Reconnects at once instead of later, or checks whether an apparently open connection still works. */
  reconnectNow(): void {
    this.#link.reconnectNow();
  }

  /** The browser is offline: closes the connection without waiting for a timeout. */
  networkLost(): void {
    this.#link.disconnect();
  }

  #add(session: Pick<GatewaySession, 'cwd'> & { readonly id?: string | undefined }): SessionStore {
    const store = new SessionStore({ ...session, agentName: this.name, logIn: (agent) => this.#logIn(agent) });
    this.#stores.add(store);
    noticeEnds(store);
    return store;
  }

  /** Logs in with the method that the user chooses. Returns whether it succeeded. */
  async #logIn(agent: Agent): Promise<boolean> {
    const { authMethods: methods } = agent;
    // Without login methods the error code means something else.
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
  // A page cannot set headers for a WebSocket, so the server reads the token from the subprotocols.
  const protocols = ['acp', `bearer.${loginToken() ?? ''}`];
  return webSocketTransport(
    new WebSocket(`${scheme}://${location.host}${location.pathname}agents/${agentName}/acp`, protocols),
  );
}

/** Asks the server over HTTP, because a browser does not reveal why a WebSocket was refused. */
function isLoggedIn(): Promise<boolean> {
  return fetchServerFacts().then(
    () => true,
    (error: unknown) => !(error instanceof NotLoggedIn),
  );
}
