import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { invalidParams, ProtocolError } from '../protocol-error.ts';

/** The code of the error for a requested version that is older than all versions of the agent. */
export const unsupportedProtocolVersion = -32022;

/** The version an agent answers with, and the parameters in the form of this version. */
export interface AcceptedVersion {
  readonly version: number;
  readonly params: unknown;
}

const unknown = { name: 'unknown', version: 'unknown' };

/**
 * Chooses the highest version of an agent that is not above the requested one, and returns the parameters of `initialize` in the form of
 * that version.
 * @throws {ProtocolError} -32022 with the versions it has, if all are newer; -32602 if the client names no version
 */
export function acceptVersion(params: unknown, versions: readonly number[]): AcceptedVersion {
  const requested = isObject(params) ? params['protocolVersion'] : undefined;
  const isVersion = typeof requested === 'number' && Number.isInteger(requested) && requested >= 0;
  if (!isObject(params) || !isVersion || requested > 65_535)
    throw invalidParams('Invalid params: protocolVersion: expected an integer from 0 to 65535');
  const version = versions.findLast((each) => each <= requested);
  if (version === undefined) throw unsupportedVersion(requested, versions);
  if (requested === version) return { version, params };
  return { version, params: version === 1 ? asVersion1(params) : withInfo(params) };
}

/** The error for a client whose newest version is older than all that the agent has. */
export function unsupportedVersion(requested: number, supported: readonly number[]): ProtocolError {
  const message = `Unsupported protocol version ${requested}: this agent speaks ${supported.join(', ')}`;
  return new ProtocolError(unsupportedProtocolVersion, message, { requested, supported });
}

/** A newer version may describe the client in another form, so a bad `info` is replaced and not refused. */
function withInfo(params: JsonObject): JsonObject {
  const { info } = params;
  const isValid = isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
  return isValid ? params : { ...params, info: unknown };
}

/**
 * The parameters of a client of version 1. A client of version 2 offers neither files nor terminals, and handles all updates. A client that
 * speaks both versions sends the fields of version 1 itself.
 */
function asVersion1(params: JsonObject): JsonObject {
  const { info, capabilities } = params;
  const offered = isObject(capabilities) ? capabilities : {};
  const auth = isObject(offered['auth']) ? offered['auth'] : {};
  const elicitation = isObject(offered['elicitation']) ? { elicitation: offered['elicitation'] } : {};
  return {
    ...(isObject(info) && { clientInfo: info }),
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
      plan: {},
      subagents: {},
      auth: { terminal: isObject(auth['terminal']) },
      ...elicitation,
      ...(isObject(offered['_meta']) && { _meta: offered['_meta'] }),
    },
    ...params,
  };
}
