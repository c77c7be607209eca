import { TurnwireError, type TurnwireErrorCode, errorCodes, ProtocolError } from '@turnwire/protocol';

/** What travels in the data of an error between an owner and a command. */
interface Luggage {
  /** The agent answered with this error. */
  readonly agent?: { readonly code: number; readonly data?: unknown };
  /** It happened on our side of the agent's wire. */
  readonly turnwire?: TurnwireErrorCode;
}

/** The error as it crosses the socket: nothing of it is lost, for both ends are ours. */
export function toWire(error: unknown): ProtocolError {
  const message = error instanceof Error ? error.message : String(error);
  return new ProtocolError(errorCodes.internalError, message, luggageOf(error));
}

/** The error as it was before it crossed the socket. */
export function fromWire(error: unknown): unknown {
  if (!(error instanceof ProtocolError)) return error;
  const { agent, turnwire } = (error.data ?? {}) as Luggage;
  if (agent) return new ProtocolError(agent.code, error.message, agent.data);
  return turnwire ? new TurnwireError(turnwire, error.message) : new Error(error.message, { cause: error });
}

function luggageOf(error: unknown): Luggage {
  if (error instanceof ProtocolError) return { agent: { code: error.code, data: error.data } };
  return error instanceof TurnwireError ? { turnwire: error.code } : {};
}
