import type { RemoteProfile } from '../../remote/endpoint.ts';
import type { Line } from '../../wire/line.ts';
import type { ClientAction } from './client-driver.ts';
import type { ClientRun } from './client-run.ts';

/** A client that is judged: a way to have it do things with the agent that is played. */
export interface ClientSubject {
  /** For reports: the command, or another identification. */
  readonly name: string;
  /** More names for the launcher, for a client whose agent has a fixed one. */
  readonly poses?: readonly string[];
  /** It reaches its agent over this transport, by the URL that `agent` stands for then. Default: it starts its agent. */
  readonly over?: RemoteProfile | undefined;
  /** Whether it can be made to do something. What it cannot do stays unseen. */
  can(action: ClientAction): boolean;
  /** Whether a user types while it is working: its questions may then wait for them. Default: no. */
  isTyped?(action: ClientAction): boolean;
  /** Has a fresh instance do something. Rejects if it cannot be started. */
  start(order: ClientOrder): Promise<ClientRun>;
  /** What lies between the client and the kit: for those who test the kit. */
  readonly tampered?: (line: Line) => Line;
}

/** What a client is to do, and where. */
export interface ClientOrder {
  readonly action: ClientAction;
  /** What the placeholders stand for: `agent`, `cwd`, `prompt`, … */
  readonly values: Readonly<Record<string, string>>;
  /** A folder for what it keeps, and nothing else of the user is found there. */
  readonly home: string;
  /** Given the agent's end of a connection by a client that starts no process. */
  readonly attach: (line: Line) => void;
}
