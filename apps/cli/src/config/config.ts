import type { authPolicies, formats, permissionBases, permissionModes, withoutUser } from './config-values.ts';

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
  /** Whether a chat calls its user with a bell and a notification when nobody looks at the terminal. Default: true. */
  readonly notifications?: boolean;
  /** The address of the registry that agents are added from. Default: the public one. */
  readonly registry?: string;
}
