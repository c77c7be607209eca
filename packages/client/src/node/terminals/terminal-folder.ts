import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isInside, OwnFolders, ownFoldersReason } from '@turnwire/machine';
import { invalidParams } from '@turnwire/protocol';
import type { HostContext } from '../../host/host.ts';

/**
 * The folder a command starts in: the requested one, or the first root. Returns its real path, so that no link leads out of the roots, not
 * even one that replaced a root since the session began.
 * @throws ProtocolError -32602 if it is not absolute, is not a folder, is outside of the roots, or belongs to Turnwire
 */
export function terminalFolder(
  asked: string | null | undefined,
  { roots, realRoots = roots.map(realPathOf) }: Pick<HostContext, 'roots' | 'realRoots'>,
): string {
  const [first] = roots;
  if (first === undefined) throw invalidParams('The session has no folder to run a command in');
  const folder = asked ?? first;
  if (!isAbsolute(folder)) throw invalidParams(`cwd must be an absolute path, but is ${folder}`);
  const real = realFolder(folder);
  if (new OwnFolders().hold(real)) throw invalidParams(`Commands cannot start in ${folder}: ${ownFoldersReason}`);
  if (realRoots.some((root) => root !== undefined && isInside(root, real))) return real;
  const replaced = roots.findIndex((root, index) => isInside(root, folder) && realPathOf(root) !== realRoots[index]);
  throw invalidParams(
    replaced === -1
      ? `${folder} is outside of the folders of this session: ${roots.join(', ')}`
      : `Commands cannot start in ${folder}: since the session began, ${roots[replaced]} was replaced by a link. Put the folder back, or start a new session.`,
  );
}

function realFolder(folder: string): string {
  const real = realPathOf(folder);
  if (real === undefined) throw invalidParams(`The folder ${folder} does not exist or cannot be accessed`);
  if (!statSync(real).isDirectory()) throw invalidParams(`${folder} is not a folder`);
  return real;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
