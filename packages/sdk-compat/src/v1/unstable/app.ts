import type { V1Unstable } from '@turnwire/protocol/unstable';
import { AgentAppOf } from '../../apps/agent-app.ts';
import type { AppOptions } from '../../apps/app.ts';
import { ClientAppOf } from '../../apps/client-app.ts';
import type { WireOf } from '../../apps/wire.ts';
import type { Definitions } from '../../generated/v1-unstable-types.ts';
import { ActiveSessionOf, SessionBuilderOf } from '../../sessions/active-session.ts';
import { SessionContext, TerminalContext } from '../contexts.ts';
import { edition, knownUpdates } from '../../editions/v1-edition.ts';

/** The messages of this entry. */
export type EntryWire = WireOf<V1Unstable['methods'], Definitions>;

/** Calls the client of a connection. */
export class AgentContext extends TerminalContext<EntryWire> {}

/** A session whose updates are read one by one. */
export class ActiveSession extends ActiveSessionOf<Definitions> {}

/** A session that is about to be made. */
export class SessionBuilder extends SessionBuilderOf<Definitions, ActiveSession> {}

/** Calls the agent of a connection. */
export class ClientContext extends SessionContext<EntryWire, Definitions> {
  override buildSession(session: string | Definitions['NewSessionRequest']): SessionBuilder {
    const request = typeof session === 'string' ? { cwd: session, mcpServers: [] } : session;
    return new SessionBuilder(this, request, (response) => this.attachSession(response));
  }

  override attachSession(response: Definitions['NewSessionResponse']): ActiveSession {
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
    const makeContext = (...parts: ConstructorParameters<typeof ClientContext>) => new ClientContext(...parts);
    super({ edition, strip, makeContext, knownUpdates });
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
