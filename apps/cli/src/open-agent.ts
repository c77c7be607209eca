import { type Agent, type Environment, type FrameTap, launchAgent, type PermissionPolicy } from '@agentwire/client';
import type { GlobalOptions } from './options.ts';
import { version } from './version.ts';

/** How the agent of a command is watched and answered. */
export interface AgentUse {
  readonly permission: PermissionPolicy;
  readonly tap?: FrameTap | undefined;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
}

/** What the built-in agent inherits besides what every agent does: what its models need. */
const modelVariables = ['AGENTWIRE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GOOGLE_*', 'GEMINI_*'];

/** How long an agent may take to stop when asked, in milliseconds. */
const cancelTimeout = 5_000;
/** How long it may take to take back a request it has not answered. */
const takeBackTimeout = 500;

/** Starts the agent the options name. */
export function openAgent(options: GlobalOptions, { permission, tap, signal }: AgentUse): Promise<Agent> {
  return launchAgent(options.agent ?? builtInAgent(), {
    cwd: options.cwd,
    env: assignments(options.env),
    inheritEnv: [
      ...(options.agent === undefined ? modelVariables : []),
      ...options.env.filter((entry) => !entry.includes('=')),
    ],
    clientInfo: { name: 'agentwire', title: 'Agentwire', version: version() },
    permission,
    tap,
    signal,
    timeouts: { cancel: cancelTimeout },
    peer: { limits: { cancel: takeBackTimeout } },
  });
}

/** This same program, as it was started, serving the coder. */
function builtInAgent(): readonly string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'coder'];
}

function assignments(entries: readonly string[]): Environment {
  const pairs = entries
    .filter((entry) => entry.includes('='))
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
  return Object.fromEntries(pairs) as Environment;
}
