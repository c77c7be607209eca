import type { Agent } from '@turnwire/client';
import { type AgentState, errorCodes, ProtocolError, TurnwireError } from '@turnwire/protocol';

/** The state of an agent after a failed turn. */
export function afterFailure(error: unknown, isCancelled: boolean): AgentState {
  if (!(error instanceof TurnwireError)) return { name: 'ready' };
  if (error.code === 'connection-closed' || error.code === 'not-authorized')
    return { name: 'dead', message: error.message };
  if (error.code === 'timeout' && isCancelled) return { name: 'cancelling', since: Date.now(), isOverdue: true };
  return { name: 'ready' };
}

/** True if retrying is useless before a login. */
export function isLoginNeeded(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}

/** True if the next attempt to reconnect may succeed. A session that is still in use by the connection that broke is one reason; refused credentials stay refused. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ProtocolError) return !isLoginNeeded(error);
  return error instanceof TurnwireError && (error.code === 'connection-closed' || error.code === 'timeout');
}

/** True if the agent has no such session, or cannot restore any. */
export function isLost(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === errorCodes.resourceNotFound;
  return error instanceof TurnwireError && error.code === 'not-advertised';
}

/** Aborts when the agent has ended, or with the other signal. */
export function endOf(agent: Agent, signal: AbortSignal): AbortSignal {
  const ending = new AbortController();
  void agent.closed.then(() => ending.abort());
  return AbortSignal.any([signal, ending.signal]);
}

/** The error for work of a session that has ended. */
export function closed(): TurnwireError {
  return new TurnwireError('cancelled', 'The session is closed');
}
