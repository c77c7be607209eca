import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type EnvironmentVariables as Environment, stateFolder } from '@turnwire/machine';

/** The file in which decisions about permissions are kept, one JSON object a line. */
export function decisionsFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'decisions.jsonl');
}

/** The file of what a user has accepted of the rules of projects. It is no setting: what was accepted here was accepted for these folders. */
export function acceptedRulesFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'accepted-rules.json');
}

/**
 * Folders for sockets, best first: those that are the user's own, then one of our own by user in those everybody may write to. There
 * names are first come, first served, so the last of them is only the beginning of a name.
 */
export function socketFolders(env: Environment = process.env): readonly string[] {
  const runtime = absolute(env['XDG_RUNTIME_DIR']);
  const temporary = absolute(env['TMPDIR']) ?? tmpdir();
  const shared = `turnwire-${userInfo().uid}`;
  const own = [...(runtime ? [join(runtime, 'turnwire')] : []), join(stateFolder(env), 'run')];
  return [...new Set([...own, join(temporary, shared), join('/tmp', shared), join(temporary, `${shared}-`)])];
}

/** The specification of these variables says that what is not absolute is to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}
