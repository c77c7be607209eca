import type { UsageLimits } from '@turnwire/protocol';
import type { Spending } from '@turnwire/runtime';
import type { AgentPlace } from '@turnwire/runtime/places';
import type {
  authPolicies,
  editors,
  formats,
  KeyAction,
  permissionBases,
  permissionModes,
  places,
  protocols,
  statusFacts,
  themes,
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
  /** Where it and its commands run. Default: on this machine. */
  readonly place?: AgentPlace;
}

/** The settings of chats in a terminal, all optional. */
export interface ChatSettings {
  /** The keys of the prompt editor: those of a shell, or of vim. Default: emacs, as in most shells. */
  readonly editor?: (typeof editors)[number];
  /** Other keys for actions: `{"ctrl-s": "transcript"}`; `none` turns a key off. */
  readonly keys?: Readonly<Record<string, KeyAction>>;
  /** The facts at the right of the status line, in their order. Default: all. */
  readonly statusLine?: readonly (typeof statusFacts)[number][];
  /** The background to choose colours for. Default: `auto`, which asks the terminal. */
  readonly theme?: (typeof themes)[number];
}

/** Limits of usage, and prices for agents that report tokens without a cost. */
export interface ConfiguredBudgets extends Pick<Spending, 'currency' | 'prices'> {
  readonly session?: UsageLimits;
  /** For all sessions together. */
  readonly day?: UsageLimits;
}

/** The settings, all optional. The command line takes precedence over a project's file, and that over the user's. */
export interface Config {
  /** The agent to use if the command line names none. Default: the built-in one. */
  readonly defaultAgent?: string;
  /** Agents by name. */
  readonly agents?: Readonly<Record<string, ConfiguredAgent>>;
  /** The version of the protocol to ask agents for. Default: 1, and 2 for an agent that has only that. */
  readonly protocol?: (typeof protocols)[number];
  /** Where new sessions work. Default: here. */
  readonly place?: (typeof places)[number];
  /** A command line that prepares a new place. That of a project's file needs the consent of the user. */
  readonly placeSetUp?: string;
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
  /** How chats look and which keys they have. Only in the user's file. */
  readonly chat?: ChatSettings;
  /** The limits of usage. A project's file can only lower them. */
  readonly budgets?: ConfiguredBudgets;
  /** Whether the changes of each turn are recorded for `turnwire review`. Default: true. */
  readonly review?: boolean;
  /** The URL of the agent registry. Default: the public one. */
  readonly registry?: string;
}
