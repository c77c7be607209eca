import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ownCommand } from '../own-command.ts';
import { hostCommand } from './host-command.ts';
import type { HostNews, HostStart } from './host-start.ts';

/**
 * Starts a session host, which outlives this process. Resolves when it listens, or has found that another
 * process hosts the session; rejects with the reason otherwise.
 */
export async function startHost(start: HostStart, sessionFolder: string): Promise<HostNews> {
  const logPath = join(sessionFolder, 'host.log');
  await using log = await open(logPath, 'a', 0o600);
  const [file, ...words] = ownCommand(hostCommand);
  const child = spawn(file, words, {
    detached: true,
    // Not the caller's folder: it could not be unmounted or deleted while the session host runs.
    cwd: sessionFolder,
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
    windowsHide: true,
  });
  try {
    return await new Promise<HostNews>((resolve, reject) => {
      child.once('message', (news) => resolve(news as HostNews));
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`the host process of the session ended with ${signal ?? code}; see ${logPath}`)),
      );
      child.send(start, (error) => error && reject(error));
    });
  } finally {
    if (child.connected) child.disconnect();
    child.removeAllListeners('error').on('error', () => undefined);
    child.unref();
  }
}
