import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import type { ConversationState } from './conversation.ts';

/** Where a conversation stands when a turn has failed. */
export function afterFailure(error: unknown, isCancelled: boolean): ConversationState {
  if (!(error instanceof TurnwireError)) return { name: 'ready' };
  if (error.code === 'connection-closed') return { name: 'dead', message: error.message };
  if (error.code === 'timeout' && isCancelled) return { name: 'cancelling', since: Date.now(), isOverdue: true };
  return { name: 'ready' };
}

/** True if trying again is no use before a login. */
export function isLoginNeeded(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}

/** Aborts when the agent is gone, or with another signal. */
export function endOf(agent: Agent, signal: AbortSignal): AbortSignal {
  const ending = new AbortController();
  void agent.closed.then(() => ending.abort());
  signal.addEventListener('abort', () => ending.abort(), { once: true });
  if (signal.aborted) ending.abort();
  return ending.signal;
}

/** What whoever asks something of a closed conversation hears. */
export function closed(): TurnwireError {
  return new TurnwireError('cancelled', 'The conversation is closed');
}
