import type { V2Unstable } from '@turnwire/protocol/v2/unstable';
import { AgentAppOf } from '../../apps/agent-app.ts';
import type { AppOptions } from '../../apps/app.ts';
import { ClientAppOf } from '../../apps/client-app.ts';
import type { WireOf } from '../../apps/wire.ts';
import type { Definitions } from '../../generated/v2-unstable-types.ts';
import { SessionBuilderOf } from '../../sessions/active-session.ts';
import { V2ActiveSessionOf } from '../../sessions/v2-active-session.ts';
import { V2AgentContextOf, V2ClientContextOf } from '../contexts.ts';
import { edition } from '../../editions/v2-edition.ts';

/** The messages of this entry. */
export type EntryWire = WireOf<V2Unstable['methods'], Definitions>;

/** Calls the client of a connection. */
export class AgentContext extends V2AgentContextOf<EntryWire, Definitions> {}

/** A session whose updates are read one by one. */
export class ActiveSession extends V2ActiveSessionOf<Definitions> {}

/** A session that is about to be made. */
export class SessionBuilder extends SessionBuilderOf<Definitions, ActiveSession> {}

/** Calls the agent of a connection. */
export class ClientContext extends V2ClientContextOf<EntryWire, Definitions> {
  /** Prepares a session, from its folder or its whole request. */
  buildSession(session: string | Definitions['NewSessionRequest']): SessionBuilder {
    const request = typeof session === 'string' ? { cwd: session } : session;
    return new SessionBuilder(this, request, (response) => this.attachSession(response));
  }

  /** Reads the updates of a session that was made by a request. */
  attachSession(response: Definitions['NewSessionResponse']): ActiveSession {
    return new ActiveSession(this, response);
  }
}

/** Handlers of an agent, from which any number of connections can be opened. */
export class AgentApp extends AgentAppOf<EntryWire, AgentContext> {
  constructor({ strip }: AppOptions = {}) {
    super({ edition, strip, makeContext: (connection, requestId) => new AgentContext(connection, requestId) });
  }
}

/** Handlers of a client, from which any number of connections can be opened. */
export class ClientApp extends ClientAppOf<EntryWire, ClientContext> {
  constructor({ strip }: AppOptions = {}) {
    super({ edition, strip, makeContext: (...parts) => new ClientContext(...parts) });
  }
}

/** Makes an agent. Add handlers, then connect it. */
export function agent(options?: AppOptions): AgentApp {
  return new AgentApp(options);
}

/** Makes a client. Add handlers, then connect it. */
export function client(options?: AppOptions): ClientApp {
  return new ClientApp(options);
}
