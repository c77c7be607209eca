import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where the agent keeps its sessions: `AGENTWIRE_CODER_SESSIONS`, an absolute path, or `off` for nowhere; else
 * `agentwire/coder/sessions` in `XDG_STATE_HOME`, which is `~/.local/state` unless it is set.
 */
export function sessionsFolder(env: Environment = process.env): string | false {
  const chosen = env['AGENTWIRE_CODER_SESSIONS'];
  if (chosen === 'off') return false;
  if (chosen && isAbsolute(chosen)) return chosen;
  return join(stateHome(env), 'agentwire', 'coder', 'sessions');
}

/** The specification of these variables says that what is not absolute is to be ignored. */
function stateHome(env: Environment): string {
  const candidates = [env['XDG_STATE_HOME'], process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined];
  return candidates.find((path) => path && isAbsolute(path)) ?? join(homedir(), '.local', 'state');
}
