import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './environment.ts';

/** The folder of what a person sets for all projects: `turnwire` in `XDG_CONFIG_HOME`, which is `~/.config` (on Windows `APPDATA`) unless it is set. */
export function configFolder(env: Environment = process.env): string {
  const candidates = [env['XDG_CONFIG_HOME'], process.platform === 'win32' ? env['APPDATA'] : undefined];
  return join(candidates.find((path) => path && isAbsolute(path)) ?? join(homedir(), '.config'), 'turnwire');
}
