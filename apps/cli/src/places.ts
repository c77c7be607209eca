import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of what is kept between runs: sessions and their histories. `XDG_STATE_HOME`, else `~/.local/state`. */
export function stateFolder(env: Environment = process.env): string {
  return join(absolute(env['XDG_STATE_HOME']) ?? localData(env) ?? join(homedir(), '.local', 'state'), 'turnwire');
}

/** The file in which decisions about permissions are kept, one JSON object a line. */
export function decisionsFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'decisions.jsonl');
}

/** The folder of what a person configures for all projects. `XDG_CONFIG_HOME`, else `~/.config`. */
export function configFolder(env: Environment = process.env): string {
  return join(absolute(env['XDG_CONFIG_HOME']) ?? absolute(env['APPDATA']) ?? join(homedir(), '.config'), 'turnwire');
}

/** The file of what a person has accepted of the rules of projects. It is no setting: what was accepted here was accepted for these folders. */
export function acceptedRulesFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'accepted-rules.json');
}

/** The folder of what can be fetched again. `XDG_CACHE_HOME`, else `~/.cache`. */
export function cacheFolder(env: Environment = process.env): string {
  return join(absolute(env['XDG_CACHE_HOME']) ?? localData(env) ?? join(homedir(), '.cache'), 'turnwire');
}

/**
 * Folders for sockets, best first. The path of a socket may be about 100 bytes long, so a deep one is no use.
 * A folder others may write to gets one of our own in it, by user, since names there are first come, first served.
 */
export function socketFolders(env: Environment = process.env): readonly string[] {
  const runtime = absolute(env['XDG_RUNTIME_DIR']);
  const shared = `turnwire-${userInfo().uid}`;
  return [...(runtime ? [join(runtime, 'turnwire')] : []), join(tmpdir(), shared), join('/tmp', shared)];
}

/** The specification of these variables says that what is not absolute is to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

function localData(env: Environment): string | undefined {
  return process.platform === 'win32' ? absolute(env['LOCALAPPDATA']) : undefined;
}
