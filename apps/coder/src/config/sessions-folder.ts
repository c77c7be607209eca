import { isAbsolute, join } from 'node:path';
import { stateFolder } from '@turnwire/machine';
import type { Environment } from './environment.ts';

/**
 * Where the agent stores its sessions: `TURNWIRE_CODER_SESSIONS`, an absolute path, or `off` for nowhere; else
 * `turnwire/coder/sessions` in `XDG_STATE_HOME`, which is `~/.local/state` unless it is set.
 */
export function sessionsFolder(env: Environment = process.env): string | false {
  const chosen = env['TURNWIRE_CODER_SESSIONS'];
  if (chosen === 'off') return false;
  if (chosen && isAbsolute(chosen)) return chosen;
  return join(stateFolder(env), 'coder', 'sessions');
}
