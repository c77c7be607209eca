import { ProtocolError, TurnwireError } from '@turnwire/protocol';

/** The code with which an agent refuses all versions of a client. */
const unsupportedProtocolVersion = -32022;

/** TurnwireError `version-mismatch`, if the agent refused the offered versions and named its own. Other errors are unchanged. */
export function asVersionMismatch(error: unknown): unknown {
  if (!(error instanceof ProtocolError) || error.code !== unsupportedProtocolVersion) return error;
  const { supported } = (error.data ?? {}) as { readonly supported?: unknown };
  const theirs = [supported].flat().join(' and ') || 'another version';
  const message = `The agent speaks protocol version ${theirs}, which was not offered. Offer it, or update the older side`;
  return new TurnwireError('version-mismatch', message, { cause: error });
}
