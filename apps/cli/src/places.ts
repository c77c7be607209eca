import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type EnvironmentVariables as Environment, stateFolder } from '@turnwire/machine';

/** The log of permission decisions, one JSON object per line. */
export function decisionsFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'decisions.jsonl');
}

/** The file of accepted project rules. It is not a setting: it belongs to the folders of this machine. */
export function acceptedRulesFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'accepted-rules.json');
}

/**
 * Folders for sockets, best first: the user's own, then one per user in the shared temporary folders. There
 * any user can take any name, so the last one is only the prefix of a name.
 */
export function socketFolders(env: Environment = process.env): readonly string[] {
  const runtime = absolute(env['XDG_RUNTIME_DIR']);
  const temporary = absolute(env['TMPDIR']) ?? tmpdir();
  const shared = `turnwire-${userInfo().uid}`;
  const own = [...(runtime ? [join(runtime, 'turnwire')] : []), join(stateFolder(env), 'run')];
  return [...new Set([...own, join(temporary, shared), join('/tmp', shared), join(temporary, `${shared}-`)])];
}

/** The XDG specification says that relative values are to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}
