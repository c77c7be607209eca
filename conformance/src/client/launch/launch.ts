import type { RemoteProfile } from '../../remote/endpoint.ts';
import type { Line } from '../../wire/line.ts';

/** One start of the agent by a client: the agent's end of the line. The line is started immediately. */
export interface Launch {
  readonly line: Line;
  /** The process that stands for the agent; absent if the client connects without one. */
  readonly process?: LaunchedProcess;
  /** The connection behind the line, if the client reaches its agent by a URL. */
  readonly connection?: LaunchedConnection;
}

/** The connection of a client that reaches its agent by a URL. */
export interface LaunchedConnection {
  readonly profile: RemoteProfile;
  /** Sends the first half of a message, then breaks the connection. */
  cutIn(text: string): void;
  /** Sends a text in a binary frame. Only over a WebSocket. */
  readonly sendBinary?: (text: string) => void;
  /** The number of client messages in binary frames. Only over a WebSocket. */
  readonly binaryMessages?: () => number;
}

/** An event of an agent's process that was caused from outside. */
export type LaunchEvent = 'end of stdin' | 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'gone';

/** The process that a client started as its agent. */
export interface LaunchedProcess {
  readonly pid: number;
  /** The process that started it. */
  readonly parent: number;
  /** The arguments after the path of the launcher. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** All events so far, in order. `gone` without an exit of the agent means that it was killed. */
  readonly events: readonly LaunchEvent[];
  /** Subscribes to events, including the earlier ones. */
  onEvent(listener: (event: LaunchEvent) => void): void;
  /** Exits with a code, after all output is written. */
  exit(code: number): void;
  die(signal: NodeJS.Signals): void;
  /** Prints a text many times on stdout, and reads nothing from the client until all of it is written. */
  flood(text: string, times: number): void;
  print(text: string | Uint8Array): void;
  /** Whether the agent ended by itself. */
  readonly left: boolean;
  readonly gone: Promise<void>;
}
