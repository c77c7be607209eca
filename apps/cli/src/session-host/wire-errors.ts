import { TurnwireError, type TurnwireErrorCode, errorCodes, ProtocolError } from '@turnwire/protocol';

/** The data of an error between a session host and a command. */
interface Luggage {
  /** The agent answered with this error. */
  readonly agent?: { readonly code: number; readonly data?: unknown };
  /** The error occurred on our side of the agent's wire. */
  readonly turnwire?: TurnwireErrorCode;
}

/** Encodes an error for the socket, without loss: both ends are ours. */
export function toWire(error: unknown): ProtocolError {
  const message = error instanceof Error ? error.message : String(error);
  return new ProtocolError(errorCodes.internalError, message, luggageOf(error));
}

/** Decodes an error from the socket. */
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
