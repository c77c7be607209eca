import type { Implementation, McpServer, Transport } from '@turnwire/protocol';
import type { AgentOptions } from '../../agent/agent.ts';
import type { Environment } from '../launch/environment.ts';

/** The timeouts of the steps of an examination, in milliseconds. */
export interface ExaminationTimeouts {
  /** For the answer to `initialize`. Default 30,000. */
  readonly initialize: number;
  /** For the answer to each `session/new`. Default 60,000. */
  readonly newSession: number;
  /** For the whole turn, if there is a prompt. Default 120,000. */
  readonly turn: number;
  /** For the process to exit after its stdin was closed, before it is signalled. Default 2,000. */
  readonly exit: number;
}

/** Options of an examination. All have defaults. */
export interface ExamineOptions {
  /** The working directory of the process and its sessions: an absolute path. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Variables to set. Their values are removed from everything that is reported. */
  readonly env?: Environment | undefined;
  /** Names of variables to inherit besides the harmless ones; `NAME*` stands for all with that prefix. */
  readonly inheritEnv?: readonly string[] | undefined;
  /** Name and version of this client, for the agent. Default: this library. */
  readonly clientInfo?: Implementation | undefined;
  /** The versions of the protocol to offer. Default: only version 1. */
  readonly versions?: AgentOptions['versions'];
  /** MCP servers for a session. At most 16 are tried one by one. Default: none; the layer `mcp` is left out. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** A prompt to send; all permission requests are denied. Default: none, and the layer `turn` is left out. */
  readonly prompt?: string | undefined;
  readonly timeouts?: Partial<ExaminationTimeouts> | undefined;
  /** Aborts the examination: the process is ended, and the iteration throws TurnwireError `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** The defaults. */
export const examinationTimeouts: ExaminationTimeouts = {
  initialize: 30_000,
  newSession: 60_000,
  turn: 120_000,
  exit: 2_000,
};

/** The options of the layers after the launch. */
export interface Examined extends ExamineOptions {
  readonly cwd: string;
  readonly command: readonly string[];
}

/** An agent on another machine, and the way to it. */
export interface RemoteSubject {
  /** `https:`, `wss:`, `http:` or `ws:`. */
  readonly url: URL;
  /** Headers of every request. Their values are removed from everything that is reported. */
  readonly headers: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly proxy?: URL | undefined;
  /** Certificates of authorities to trust in addition to those of Node, as PEM. */
  readonly ca?: string | undefined;
  /** Opens a connection to the agent. */
  readonly connect: () => Transport;
}
