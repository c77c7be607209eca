import { z } from 'zod';
import {
  authPolicies,
  editors,
  formats,
  type KeyAction,
  keyActions,
  keyName,
  permissionBases,
  permissionModes,
  places,
  protocols,
  statusFacts,
  themes,
  withoutUser,
} from './config-values.ts';
import type { Config, ConfiguredAgent } from './config.ts';

// Each message completes the sentence: "format" must be …
const word = z.string('a string').min(1, 'a string');
const seconds = z.number('a number of seconds').nonnegative('a number of seconds');
const texts = z.record(z.string(), z.string());
const oneOf = <const Words extends readonly string[]>(words: Words) => z.enum(words, `one of ${words.join(', ')}`);
const protocol = z.literal(protocols, '1 or 2');

const place = z
  .strictObject(
    {
      prefix: z
        .union([z.string().min(1), z.array(z.string()).min(1)])
        .describe(
          'the words before the command of the agent, such as podman exec -i box; ${cwd} is the folder of the session',
        ),
      paths: texts
        .exactOptional()
        .describe('absolute folders here, and their paths there; ${cwd} is the folder of the session'),
      sharesFiles: z
        .boolean()
        .exactOptional()
        .describe('whether these folders have the same files here and there; default: true'),
      takes: z
        .enum(['words', 'line'])
        .exactOptional()
        .describe('whether the prefix takes words, or one line for a shell, as ssh does'),
    },
    '{"prefix": …, "paths": {…}}',
  )
  .describe('where the agent and its commands run');

const command = z.looseObject({
  transport: z.literal('stdio').optional(),
  command: z.string(),
  args: z.array(z.string()).exactOptional(),
  env: texts.exactOptional().describe('variables for the agent; ${NAME} in a value is replaced by a variable'),
  protocol: protocol.exactOptional(),
  place: place.exactOptional(),
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

const amount = z.number('a number of at least 0').nonnegative('a number of at least 0');
const price = z.strictObject(
  {
    input: amount,
    output: amount,
    cacheRead: amount.exactOptional(),
    cacheWrite: amount.exactOptional(),
  },
  'an object with input and output, and perhaps cacheRead and cacheWrite',
);
const limits = z.strictObject(
  {
    cost: amount.exactOptional(),
    tokens: amount.exactOptional(),
    minutes: amount.exactOptional(),
    turns: amount.exactOptional(),
  },
  'an object of limits: cost, tokens, minutes and turns',
);

/** The schema of each setting. All are optional. */
export const configShape: { readonly [Key in keyof Config]-?: z.ZodType<NonNullable<Config[Key]>> } = {
  defaultAgent: word.describe('the agent when none is named; default: coder'),
  agents: z.record(z.string(), agent, 'an object of agents by name').describe('agents by name'),
  protocol: protocol.describe('the version of the protocol to ask agents for; an entry of an agent may have another'),
  place: oneOf(places).describe('where new sessions work, as the option --place'),
  placeSetUp: word.describe(
    'a command line that prepares a new place, such as npm ci; of a project only after your consent',
  ),
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
  chat: z
    .strictObject(
      {
        editor: oneOf(editors).exactOptional().describe('the keys of the prompt editor'),
        keys: z
          .record(
            z.string().regex(keyName, 'keys such as ctrl-s, alt-enter or f2; not ctrl-c'),
            oneOf(Object.keys(keyActions) as KeyAction[]),
            'an object of actions by key',
          )
          .exactOptional()
          .describe('other keys for actions; none turns a key off'),
        statusLine: z
          .array(oneOf(statusFacts), 'a list')
          .exactOptional()
          .describe('the facts of the status line, in their order'),
        theme: oneOf(themes).exactOptional().describe('the background of the terminal; auto asks it'),
      },
      'an object with editor, keys, statusLine and theme',
    )
    .describe('how chats look and which keys they have; only in your own file'),
  budgets: z
    .strictObject(
      {
        session: limits.exactOptional().describe('the limits of each session'),
        day: limits.exactOptional().describe('the limits of all sessions of a day together'),
        currency: word.exactOptional().describe('the currency of costs and prices; default: USD'),
        prices: z
          .record(z.string(), price, 'an object of prices by model')
          .exactOptional()
          .describe('the prices of a million tokens by model, for agents that report no cost'),
      },
      'an object with session, day, currency and prices',
    )
    .describe('limits of usage: a turn that reaches one is paused, and you are asked'),
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
