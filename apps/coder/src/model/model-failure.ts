import { errorCodes, ProtocolError } from '@agentwire/protocol';

/** The model could not answer: an error the client can show. */
export function modelCallFailed(model: string, error: unknown): ProtocolError {
  const reason = error instanceof Error ? error.message : typeof error === 'string' ? error : JSON.stringify(error);
  return new ProtocolError(errorCodes.internalError, `The model ${model} failed: ${reason}`, { model });
}
