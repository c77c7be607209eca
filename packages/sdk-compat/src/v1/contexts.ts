import { AgentContext, ClientContext } from '../apps/context.ts';
import type { Wire } from '../apps/wire.ts';
import type { CreateTerminalRequest } from '../generated/v1-types.ts';
import type { SendRequestOptions } from '../json-rpc/messages.ts';
import { ActiveSessionOf, SessionBuilderOf, type SessionTypes } from '../sessions/active-session.ts';
import { createTerminal, type TerminalHandle } from '../sessions/terminal-handle.ts';

/** Calls a client of version 1, which may have terminals. */
export class TerminalContext<W extends Wire> extends AgentContext<W> {
  /** Runs a command in a new terminal of the client. Look at the client's capability `terminal` first. */
  createTerminal(params: CreateTerminalRequest, options?: SendRequestOptions): Promise<TerminalHandle> {
    return createTerminal(this, params, options);
  }
}

/** Calls an agent of version 1. */
export class SessionContext<W extends Wire, D extends SessionTypes> extends ClientContext<W> {
  /** Prepares a session, from its folder or its whole request. */
  buildSession(session: string | D['NewSessionRequest']): SessionBuilderOf<D, ActiveSessionOf<D>> {
    const request = typeof session === 'string' ? { cwd: session, mcpServers: [] } : session;
    return new SessionBuilderOf<D, ActiveSessionOf<D>>(this, request, (response) => this.attachSession(response));
  }

  /** Reads the updates of a session that was made by a request. */
  attachSession(response: D['NewSessionResponse']): ActiveSessionOf<D> {
    return new ActiveSessionOf<D>(this, response);
  }
}
