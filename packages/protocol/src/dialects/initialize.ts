import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { noted, renamed, setAside, without } from './keys.ts';
import type { Rule } from './rule.ts';

/** D04: `capabilities` said by either side. The same key is official in version 2, so only where the message says version 1. */
export function capabilitiesAs(official: 'clientCapabilities' | 'agentCapabilities'): Rule {
  return (message) => (message['protocolVersion'] === 1 ? renamed(message, 'capabilities', official) : message);
}

const terminalMethods = ['create', 'output', 'waitForExit', 'kill', 'release'];

/** D05: one flag for each terminal method. Terminals are there only if all five are; the flags are set aside. */
export function terminalFlags(capabilities: JsonObject): JsonObject {
  const flags = capabilities['terminal'];
  if (!isObject(flags)) return capabilities;
  const terminal = terminalMethods.every((method) => flags[method] === true);
  return { ...setAside(capabilities, ['terminal']), terminal };
}

/** D06, the list's name. */
export function authenticationMethods(result: JsonObject): JsonObject {
  return renamed(result, 'authenticationMethods', 'authMethods');
}

/** D06, an item's keys. */
export function authMethodKeys(method: JsonObject): JsonObject {
  return renamed(renamed(method, 'methodId', 'id'), 'title', 'name');
}

/** D08: prompt content as a list of words. */
export function promptContentList(capabilities: JsonObject): JsonObject {
  return listAsFlags(capabilities, 'content', {
    flags: ['image', 'audio', 'embeddedContext'],
    implied: ['text', 'resourceLink', 'resource_link'],
  });
}

/** D09: MCP transports under `mcp`, in other words. */
export function mcpTransportFlags(capabilities: JsonObject): JsonObject {
  const mcp = capabilities['mcp'];
  if (!isObject(mcp) || capabilities['mcpCapabilities'] !== undefined) return capabilities;
  const mcpCapabilities = renamed(renamed(mcp, 'httpTransport', 'http'), 'sseTransport', 'sse');
  return { ...without(capabilities, ['mcp']), mcpCapabilities };
}

/** D10: MCP transports as a list of words. */
export function supportedTransports(capabilities: JsonObject): JsonObject {
  return listAsFlags(capabilities, 'supportedTransports', { flags: ['http', 'sse'], implied: ['stdio'] });
}

interface Words {
  /** Words that are flags of the same name officially. */
  readonly flags: readonly string[];
  /** Words for features that every side has. */
  readonly implied: readonly string[];
}

/** A list of words as flags; a flag that is there already wins, words that mean nothing officially are set aside. */
function listAsFlags(object: JsonObject, key: string, { flags, implied }: Words): JsonObject {
  const list: unknown = object[key];
  if (!Array.isArray(list)) return object;
  const said = flags.filter((flag) => list.includes(flag)).map((flag) => [flag, true]);
  const others = list.filter((word) => !flags.includes(word) && !implied.includes(word));
  const result = { ...Object.fromEntries(said), ...without(object, [key]) };
  return others.length === 0 ? result : noted(result, { [key]: others });
}
