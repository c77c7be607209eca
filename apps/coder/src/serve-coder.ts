import { serveAgent } from '@turnwire/agent/node';
import type { ServedAgent } from '@turnwire/agent';
import type { ServeOptions } from '@turnwire/agent/node';
import { coderAgent } from './coder-agent.ts';
import type { CoderOptions } from './config/coder-options.ts';
import { sessionsFolder } from './config/sessions-folder.ts';

/** The options of the coding agent and of its server. */
export interface ServeCoderOptions extends CoderOptions, ServeOptions {}

/** Serves the coding agent to one client: on stdin and stdout, unless a transport is given. */
export function serveCoder(options: ServeCoderOptions = {}): ServedAgent {
  const isProgram = options.transport === undefined;
  if (isProgram) exitOnSignals();
  const sessions = options.sessions ?? (isProgram && sessionsFolder(options.env));
  return serveAgent(coderAgent({ ...options, sessions }), { versions: [1, 2], ...options });
}

// `process.exit` lets the agent stop its commands on the way out; a default signal handler would leave them running.
function exitOnSignals(): void {
  for (const [signal, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const)
    process.once(signal, () => process.exit(128 + number));
}
