import type { RemoteProfile } from '../../remote/endpoint.ts';
import type { Line } from '../../wire/line.ts';

/** Once that a client started its agent: the line to the client, from where the agent is. It is started as soon as it is there. */
export interface Launch {
  readonly line: Line;
  /** The process that stands for the agent; absent if the client speaks to it without one. */
  readonly process?: LaunchedProcess;
  /** What carries the line, if the client reaches its agent by a URL. */
  readonly connection?: LaunchedConnection;
}

/** A connection of a client to an agent that it reaches by a URL. */
export interface LaunchedConnection {
  readonly profile: RemoteProfile;
  /** Sends the first half of a message, and breaks the connection there. */
  cutIn(text: string): void;
  /** Sends a text as a binary frame: over a WebSocket only. */
  readonly sendBinary?: (text: string) => void;
  /** How many messages of the client came as binary frames: over a WebSocket only. */
  readonly binaryMessages?: () => number;
}

/** Something that was done to an agent's process from outside. */
export type LaunchEvent = 'end of stdin' | 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'gone';

/** The process a client takes for its agent. */
export interface LaunchedProcess {
  readonly pid: number;
  /** The process that started it. */
  readonly parent: number;
  /** What follows the launcher's path on its command line. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What was done to it so far, in order. `gone` without the agent's doing is a kill. */
  readonly events: readonly LaunchEvent[];
  /** Hears of every event, those before included. */
  onEvent(listener: (event: LaunchEvent) => void): void;
  /** Exits with a code, once what was said is written. */
  exit(code: number): void;
  die(signal: NodeJS.Signals): void;
  /** Prints a text so often on stdout, and reads nothing of the client until all of it is written. */
  flood(text: string, times: number): void;
  print(text: string | Uint8Array): void;
  /** Whether it is the agent's own doing that it ended. */
  readonly left: boolean;
  readonly gone: Promise<void>;
}
