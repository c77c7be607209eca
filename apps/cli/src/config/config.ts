import type {
  authPolicies,
  formats,
  permissionBases,
  permissionModes,
  protocols,
  withoutUser,
} from './config-values.ts';

/** An agent in a configuration: a command, or the URL of a remote agent. */
export interface ConfiguredAgent {
  /** A command line, or a URL. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables for the agent, by name. */
  readonly env?: Readonly<Record<string, string>>;
  /** Headers to send to the URL, by name. `${NAME}` in a value is replaced by a variable. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The version of the protocol to ask for. Default: that of the configuration. */
  readonly protocol?: (typeof protocols)[number];
}

/** The settings, all optional. The command line takes precedence over a project's file, and that over the user's. */
export interface Config {
  /** The agent to use if the command line names none. Default: the built-in one. */
  readonly defaultAgent?: string;
  /** Agents by name. */
  readonly agents?: Readonly<Record<string, ConfiguredAgent>>;
  /** The version of the protocol to ask agents for. Default: 1, and 2 for an agent that has only that. */
  readonly protocol?: (typeof protocols)[number];
  readonly permissions?: (typeof permissionBases)[number];
  readonly permissionMode?: (typeof permissionModes)[number];
  readonly nonInteractivePermissions?: (typeof withoutUser)[number];
  readonly authPolicy?: (typeof authPolicies)[number];
  /** Seconds. */
  readonly ttl?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly format?: (typeof formats)[number];
  /** A file with MCP servers; relative to the folder of this file. */
  readonly mcpConfig?: string;
  /** MCP servers by name, as in `.mcp.json`. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** Whether a chat rings the bell and notifies while its terminal is not focused. Default: true. */
  readonly notifications?: boolean;
  /** Whether the changes of each turn are recorded for `turnwire review`. Default: true. */
  readonly review?: boolean;
  /** The URL of the agent registry. Default: the public one. */
  readonly registry?: string;
}
