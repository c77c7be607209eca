import type { Implementation, McpServer } from '@turnwire/protocol';
import type { Environment } from '../launch/environment.ts';

/** How long each step of an examination may take, in milliseconds. */
export interface ExaminationTimeouts {
  /** For the answer to `initialize`. Default 30,000. */
  readonly initialize: number;
  /** For the answer to each `session/new`. Default 60,000. */
  readonly newSession: number;
  /** For the whole turn, if there is a prompt. Default 120,000. */
  readonly turn: number;
  /** For the process to leave after its stdin was closed, before it is signalled. Default 2,000. */
  readonly exit: number;
}

/** How to examine an agent. Everything has a default. */
export interface ExamineOptions {
  /** The folder the process starts in and its sessions work in: an absolute path. Default: this process's. */
  readonly cwd?: string | undefined;
  /** Variables to set. Their values are taken out of everything that is reported. */
  readonly env?: Environment | undefined;
  /** Names of variables to inherit besides the harmless ones; `NAME*` stands for all that begin so. */
  readonly inheritEnv?: readonly string[] | undefined;
  /** What to tell the agent about the program that drives it. Default: this library. */
  readonly clientInfo?: Implementation | undefined;
  /** MCP servers to make a session with. At most 16 are tried one by one. Default: none; the layer `mcp` is left out. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** A prompt to send; everything the agent asks permission for is denied. Default: none, and the layer `turn` is left out. */
  readonly prompt?: string | undefined;
  readonly timeouts?: Partial<ExaminationTimeouts> | undefined;
  /** Ends the examination: the process is ended, and the iteration throws TurnwireError `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** The defaults. */
export const examinationTimeouts: ExaminationTimeouts = {
  initialize: 30_000,
  newSession: 60_000,
  turn: 120_000,
  exit: 2_000,
};

/** What the layers after the launch need. */
export interface Examined extends ExamineOptions {
  readonly cwd: string;
  readonly command: readonly string[];
}
