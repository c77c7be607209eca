import type { RemoteProfile } from '../../remote/endpoint.ts';
import type { Line } from '../../wire/line.ts';
import type { ClientAction } from './client-driver.ts';
import type { ClientRun } from './client-run.ts';

/** A client to judge: makes it perform actions with the simulated agent. */
export interface ClientSubject {
  /** Name in reports: the command, or another identification. */
  readonly name: string;
  /** Additional names for the launcher, for a client whose agent has a fixed name. */
  readonly agentNames?: readonly string[];
  /** The transport over which the client reaches its agent; `agent` then stands for a URL. Default: it starts its agent. */
  readonly over?: RemoteProfile | undefined;
  /** Whether the client can be made to perform an action. Scenarios that need another one stay unseen. */
  can(action: ClientAction): boolean;
  /** Whether a user types while the client works: its questions may then wait for the user. Default: no. */
  isTyped?(action: ClientAction): boolean;
  /** Makes a fresh instance perform an action. Rejects if the client cannot be started. */
  start(order: ClientOrder): Promise<ClientRun>;
  /** Wraps the line between the client and the kit: for tests of the kit. */
  readonly tampered?: (line: Line) => Line;
}

/** An action to perform, and its parameters. */
export interface ClientOrder {
  readonly action: ClientAction;
  /** Values of the placeholders: `agent`, `cwd`, `prompt`, … */
  readonly values: Readonly<Record<string, string>>;
  /** The home folder of the client. It contains nothing of the user. */
  readonly home: string;
  /** Receives the agent's end of the connection, for a client that starts no process. */
  readonly attach: (line: Line) => void;
}
