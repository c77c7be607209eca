/** The command of an agent in a configuration, or the URL of one on another machine. */
export interface ConfiguredAgent {
  /** A command line, or a URL. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables it gets, by name and value. */
  readonly env?: Readonly<Record<string, string>>;
  /** Headers that are sent to the URL, by name and value. `${NAME}` in a value stands for a variable. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The settings. All are optional; the command line wins over a project's file, and that over the user's. */
export interface Config {
  /** The agent when none is named. Default: the built-in one. */
  readonly defaultAgent?: string;
  /** Agents by name. */
  readonly agents?: Readonly<Record<string, ConfiguredAgent>>;
  readonly permissions?: 'ask' | 'approve-reads' | 'approve-all' | 'deny-all';
  readonly permissionMode?: 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions';
  readonly nonInteractivePermissions?: 'deny' | 'fail';
  readonly authPolicy?: 'skip' | 'fail';
  /** Seconds. */
  readonly ttl?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly format?: 'text' | 'json' | 'quiet';
  /** A file with MCP servers; relative to the folder of this file. */
  readonly mcpConfig?: string;
  /** MCP servers by name, as in `.mcp.json`. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** Whether a chat calls its user with a bell and a notification when nobody looks at the terminal. Default: true. */
  readonly notifications?: boolean;
  /** The address of the registry that agents are added from. Default: the public one. */
  readonly registry?: string;
}

/** Returns what a value must be, in words for its author; undefined if the value is valid. */
type Check = (value: unknown) => string | undefined;

const word: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'a string');
const seconds: Check = (value) => (typeof value === 'number' && value >= 0 ? undefined : 'a number of seconds');
const isTrueOrFalse: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
const object: Check = (value) => (isObject(value) ? undefined : 'an object');
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string) ? undefined : `one of ${words.join(', ')}`;

/** Every key, with the check of its value. */
export const configKeys: Readonly<Record<keyof Config, Check>> = {
  defaultAgent: word,
  agents: agentsProblem,
  permissions: oneOf('ask', 'approve-reads', 'approve-all', 'deny-all'),
  permissionMode: oneOf('default', 'acceptEdits', 'plan', 'bypassPermissions'),
  nonInteractivePermissions: oneOf('deny', 'fail'),
  authPolicy: oneOf('skip', 'fail'),
  ttl: seconds,
  timeout: seconds,
  format: oneOf('text', 'json', 'quiet'),
  mcpConfig: word,
  mcpServers: object,
  notifications: isTrueOrFalse,
  registry: word,
};

function agentsProblem(value: unknown): string | undefined {
  const wanted =
    'an object of agents, each a command line, {"command": …, "args": […], "env": {…}} or {"transport": "websocket" or "http", "url": …, "headers": {…}}';
  if (!isObject(value)) return wanted;
  return Object.values(value).every((each) => typeof each === 'string' || isAgent(each)) ? undefined : wanted;
}

function isAgent(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { transport } = value;
  if (transport === undefined || transport === 'stdio') return isCommand(value);
  if (transport === 'http') return isRemote(value, /^https?:\/\//i);
  return transport === 'websocket' && isRemote(value, /^wss?:\/\//i);
}

function isCommand({ command, args = [], env = {} }: Record<string, unknown>): boolean {
  return isText(command) && Array.isArray(args) && args.every(isText) && isTexts(env);
}

function isRemote({ command, url, headers = {}, insecure = false }: Record<string, unknown>, schemes: RegExp): boolean {
  return command === undefined && isText(url) && schemes.test(url) && isTexts(headers) && typeof insecure === 'boolean';
}

/** An agent as a file has it: a command line, or a URL with its headers, in place of a command. */
export function configuredAgent(value: unknown): ConfiguredAgent {
  if (typeof value === 'string') return { command: value };
  const { transport, url, insecure, ...agent } = value as ConfiguredAgent & RemoteEntry;
  return url === undefined ? agent : { ...agent, command: url, ...(insecure && { args: ['--insecure'] }) };
}

interface RemoteEntry {
  readonly transport?: 'stdio' | 'http' | 'websocket';
  readonly url?: string;
  readonly insecure?: boolean;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText);
}

/** Whether a value is an object with keys. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
