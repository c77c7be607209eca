import { z } from 'zod';
import { authPolicies, formats, permissionBases, permissionModes, protocols, withoutUser } from './config-values.ts';
import type { Config, ConfiguredAgent } from './config.ts';

// Each message completes the sentence: "format" must be …
const word = z.string('a string').min(1, 'a string');
const seconds = z.number('a number of seconds').nonnegative('a number of seconds');
const texts = z.record(z.string(), z.string());
const oneOf = <const Words extends readonly string[]>(words: Words) => z.enum(words, `one of ${words.join(', ')}`);
const protocol = z.literal(protocols, '1 or 2');

const command = z.looseObject({
  transport: z.literal('stdio').optional(),
  command: z.string(),
  args: z.array(z.string()).exactOptional(),
  env: texts.exactOptional().describe('variables for the agent; ${NAME} in a value is replaced by a variable'),
  protocol: protocol.exactOptional(),
});
const remote = z.looseObject({
  url: z.string(),
  headers: texts.exactOptional().describe('headers to send; ${NAME} in a value is replaced by a variable'),
  protocol: protocol.exactOptional(),
  insecure: z.boolean().optional().describe('allow unencrypted connections to another machine'),
  command: z.never().optional(),
});
// Both cases are spelled out: JSON Schema does not support the flag i.
const http = remote.extend({
  transport: z.literal('http'),
  url: z.string().regex(/^[hH][tT][tT][pP][sS]?:\/\//, 'a URL that begins with https:// or http://'),
});
const websocket = remote.extend({
  transport: z.literal('websocket'),
  url: z.string().regex(/^[wW][sS][sS]?:\/\//, 'a URL that begins with wss:// or ws://'),
});
const agent = z
  .union(
    [z.string().describe('its command line'), command, http, websocket],
    'a command line, {"command": …, "args": […], "env": {…}} or {"transport": "websocket" or "http", "url": …, "headers": {…}}',
  )
  // The entry of a remote agent has its URL as the command.
  .transform((written): ConfiguredAgent => {
    if (typeof written === 'string') return { command: written };
    if (written.transport === 'http' || written.transport === 'websocket') {
      const { transport, url, insecure, ...entry } = written;
      return { ...entry, command: url, ...(insecure && { args: ['--insecure'] }) };
    }
    const { transport, ...entry } = written;
    return entry;
  });

/** The schema of each setting. All are optional. */
export const configShape: { readonly [Key in keyof Config]-?: z.ZodType<NonNullable<Config[Key]>> } = {
  defaultAgent: word.describe('the agent when none is named; default: coder'),
  agents: z.record(z.string(), agent, 'an object of agents by name').describe('agents by name'),
  protocol: protocol.describe('the version of the protocol to ask agents for; an entry of an agent may have another'),
  permissions: oneOf(permissionBases).describe('the default for permission requests, as the options of these names'),
  permissionMode: oneOf(permissionModes).describe('how much is allowed without asking'),
  nonInteractivePermissions: oneOf(withoutUser).describe('what to do if there is no user to ask'),
  authPolicy: oneOf(authPolicies).describe('what to do if an agent requires a login: continue without it, or fail'),
  ttl: seconds.describe('how long the agent of an idle session keeps running, in seconds; 0 for no limit'),
  timeout: seconds.describe('how long a turn may take, in seconds; 0 for no limit'),
  format: oneOf(formats).describe('how turns are printed'),
  mcpConfig: word.describe('a file with MCP servers, such as .mcp.json; relative to the folder of this file'),
  mcpServers: z.record(z.string(), z.unknown(), 'an object').describe('MCP servers by name, as in .mcp.json'),
  notifications: z
    .boolean('true or false')
    .describe('whether a chat notifies you while its terminal is not focused; default: true'),
  review: z
    .boolean('true or false')
    .describe('whether the changes of each turn are recorded for turnwire review; default: true'),
  registry: word.describe('the URL of the agent registry'),
};

/** The JSON Schema of `config.json`, of the user and of a project. */
export function configSchema(): object {
  const file = z.strictObject({ $schema: z.string(), ...configShape }).partial();
  return { ...z.toJSONSchema(file, { io: 'input' }), title: 'config.json of turnwire' };
}
