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

/** Whether the agent requires a login, so that a retry is useless before it. */
export function isLoginNeeded(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}

/** Whether the next attempt to reconnect may succeed: the broken connection may still use the session, for example. Refused credentials stay refused. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ProtocolError) return !isLoginNeeded(error);
  return error instanceof TurnwireError && (error.code === 'connection-closed' || error.code === 'timeout');
}

/** Whether the agent does not have this session, or cannot restore sessions. */
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
