import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './environment.ts';

/** The folder of what is kept between runs: `turnwire` in `XDG_STATE_HOME`, which is `~/.local/state` (on Windows `LOCALAPPDATA`) unless it is set. */
export function stateFolder(env: Environment = process.env): string {
  const candidates = [env['XDG_STATE_HOME'], process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined];
  // The specification of these variables says that what is not absolute is to be ignored.
  return join(candidates.find((path) => path && isAbsolute(path)) ?? join(homedir(), '.local', 'state'), 'turnwire');
}
