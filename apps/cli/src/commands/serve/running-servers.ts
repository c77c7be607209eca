import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, ownIdentity, type ProcessIdentity, replaceFile, undefinedIfMissing } from '@turnwire/machine';
import { serversFolder } from './gateway-places.ts';

/** A server of this user, as it describes itself. */
export interface RunningServer {
  readonly url?: string;
  readonly acp?: string;
  readonly socket?: string;
  /** Its owner's token: the file is readable for this user alone. */
  readonly token?: string;
  readonly agents: readonly string[];
  readonly roots: readonly string[];
  readonly startedAt: string;
  readonly process: ProcessIdentity;
}

/** Describes this process, until the returned function is called. */
export async function announceServer(
  server: Omit<RunningServer, 'process' | 'startedAt'>,
): Promise<() => Promise<void>> {
  const folder = serversFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${process.pid}.json`);
  const described: RunningServer = { ...server, startedAt: new Date().toISOString(), process: await ownIdentity() };
  await replaceFile(path, `${JSON.stringify(described, null, 2)}\n`);
  return () => rm(path, { force: true });
}

/** The servers of this user that run. What those left that were killed is removed. */
export async function runningServers(): Promise<readonly RunningServer[]> {
  const folder = serversFolder();
  const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
  const found = await Promise.all(
    names.filter((name) => /^\d+\.json$/.test(name)).map((name) => described(join(folder, name))),
  );
  return found.filter((server) => server !== undefined);
}

async function described(path: string): Promise<RunningServer | undefined> {
  const text = await readFile(path, 'utf8').catch(undefinedIfMissing);
  if (text === undefined) return undefined;
  const server = JSON.parse(text) as RunningServer;
  if ((await isRunning(server.process)) !== false) return server;
  await rm(path, { force: true });
  return undefined;
}
