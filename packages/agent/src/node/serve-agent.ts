import type { EditionTypes, Transport, V1 } from '@turnwire/protocol';
import { serveStdio } from '@turnwire/transports/stdio';
import type { AgentDefinition } from '../definition.ts';
import { type ServedAgent, serveOn, type ServeOptions as AnyServeOptions } from '../serve-agent.ts';
import { listen, type ListeningAgent, type ListenOptions } from './listen.ts';
import { localMachine } from './local-machine.ts';

/** The options for serving an agent from a process. All have defaults. */
export interface ServeOptions extends Omit<AnyServeOptions, 'transport'> {
  /** The transport. Default: this process's stdin and stdout; the process then ends when the client disconnects. */
  readonly transport?: Transport | undefined;
}

// Long enough for an agent to end its child processes, such as a command that is slow to stop.
const shutdownGrace = 3_000;

/**
 * Serves an agent to one client; with `listen`, a separate one to every client that connects by WebSocket or Streamable HTTP. Files and
 * commands of its turns are the client's if it offers them, else this machine's.
 * @throws TurnwireError `invalid-input` if the definition or a limit is invalid; with `listen` it rejects with that
 *
 * @example serveAgent({ info: { name: 'echo', version: '1.0.0' }, prompt: (turn) => turn.say(`You said: ${turn.text}`), });
 */
export function serveAgent<Memory = undefined, E extends EditionTypes = V1>(
  definition: AgentDefinition<Memory, E>,
  options: Omit<ServeOptions, 'transport'> & { readonly listen: ListenOptions },
): Promise<ListeningAgent>;
export function serveAgent<Memory = undefined, E extends EditionTypes = V1>(
  definition: AgentDefinition<Memory, E>,
  options?: ServeOptions,
): ServedAgent;
export function serveAgent<Memory = undefined, E extends EditionTypes = V1>(
  definition: AgentDefinition<Memory, E>,
  { transport, listen: listenOptions, ...options }: ServeOptions & { readonly listen?: ListenOptions } = {},
): ServedAgent | Promise<ListeningAgent> {
  const serve = (served: Transport): ServedAgent =>
    serveOn(definition, { transport: served, ...options }, { machine: localMachine });
  if (listenOptions) return listen(listenOptions, serve);
  if (transport) return serve(transport);
  const onGone = (): void => void setTimeout(() => process.exit(), shutdownGrace).unref();
  return serveOn(definition, { transport: serveStdio(), ...options }, { machine: localMachine, onGone });
}
