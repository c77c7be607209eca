import type { DialectContext } from './dialect.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { mapAsPairs, renamed, without } from './keys.ts';

/** D11: modes said once in `initialize`. The first is taken for the current one, until an update says otherwise. */
export function modesFromInitialize(result: JsonObject, { remote }: DialectContext): JsonObject {
  const advertised = isObject(remote) && isObject(remote['agentCapabilities']) ? remote['agentCapabilities'] : {};
  const list = advertised['sessionModes'];
  if (result['modes'] !== undefined || !Array.isArray(list)) return result;
  const availableModes = list.filter(isObject).map(modeKeys).filter(isMode);
  const [first] = availableModes;
  return first === undefined ? result : { ...result, modes: { currentModeId: first['id'], availableModes } };
}

function modeKeys(mode: JsonObject): JsonObject {
  return renamed(renamed(mode, 'modeId', 'id'), 'title', 'name');
}

function isMode(mode: JsonObject): boolean {
  return typeof mode['id'] === 'string' && typeof mode['name'] === 'string';
}

/** D13: servers as a map by name. */
export function serverMap(params: JsonObject): JsonObject {
  const map = params['mcpServers'];
  if (!isObject(map) || !Object.values(map).every(isObject)) return params;
  return { ...params, mcpServers: Object.entries(map).map(([name, server]) => ({ name, ...(server as JsonObject) })) };
}

/** D14: environment and headers as maps. */
export function serverMaps(server: JsonObject): JsonObject {
  return mapAsPairs(mapAsPairs(server, 'env'), 'headers');
}

/** D15: a type for stdio, which officially has none. */
export function stdioType(server: JsonObject): JsonObject {
  return server['type'] === 'stdio' ? without(server, ['type']) : server;
}

/** D16: `transport` for `type`. MCP over WebSocket does not exist: such an entry is left unchanged and refused. */
export function transportAsType(server: JsonObject): JsonObject {
  const transport = server['transport'];
  if (server['type'] !== undefined) return server;
  if (transport === 'stdio') return without(server, ['transport']);
  return transport === 'http' || transport === 'sse' ? renamed(server, 'transport', 'type') : server;
}

/** D17: servers without a name are named after their command. */
export function serverNames(params: JsonObject): JsonObject {
  const servers: unknown = params['mcpServers'];
  if (!Array.isArray(servers) || servers.every(isNotNameless)) return params;
  const taken = new Set(servers.filter(isObject).map((server) => server['name']));
  const mcpServers = servers.map((server, index) => {
    if (isNotNameless(server)) return server;
    const name = untaken(commandName(server) ?? `mcp-${index + 1}`, taken);
    taken.add(name);
    return { name, ...server };
  });
  return { ...params, mcpServers };
}

function isNotNameless(server: unknown): boolean {
  return !isObject(server) || server['name'] !== undefined;
}

function commandName(server: JsonObject): string | undefined {
  const command = server['command'];
  return typeof command === 'string' ? command.split(/[\\/]/u).findLast((part) => part !== '') : undefined;
}

function untaken(name: string, taken: ReadonlySet<unknown>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count++) candidate = `${name}-${count}`;
  return candidate;
}

/** D18: a session is loaded without saying where. Only a stored folder counts; without one the request is refused. */
export function storedDirectory(params: JsonObject, { lookup }: DialectContext): JsonObject {
  const sessionId = params['sessionId'];
  if (params['cwd'] !== undefined || typeof sessionId !== 'string') return params;
  const cwd = lookup?.cwd?.(sessionId);
  return cwd === undefined ? params : { ...params, cwd };
}

/** D19: a session is loaded without saying with which servers. */
export function noServers(params: JsonObject): JsonObject {
  return params['mcpServers'] === undefined ? { ...params, mcpServers: [] } : params;
}
