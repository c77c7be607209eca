import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, ownIdentity, type ProcessIdentity, replaceFile, undefinedIfMissing } from '@turnwire/machine';
import { serversFolder } from './server-files.ts';

/** The description that a server of this user publishes. */
export interface RunningServer {
  readonly url?: string;
  readonly acp?: string;
  readonly socket?: string;
  /** The owner's token. Only this user can read the file. */
  readonly token?: string;
  /** The id of the token, for revoking it. */
  readonly tokenId?: string;
  readonly agents: readonly string[];
  readonly roots: readonly string[];
  readonly startedAt: string;
  readonly process: ProcessIdentity;
}

/** Publishes the description of this process until the returned function is called. */
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

/** The running servers of this user. */
export async function runningServers(): Promise<readonly RunningServer[]> {
  const servers = await Promise.all(
    (await announced()).map(async (server) => ((await hasEnded(server)) ? [] : [server])),
  );
  return servers.flat();
}

/** Removes the descriptions of killed servers, and calls back for each one, because its token is still valid. */
export async function forgetKilledServers(forget: (server: RunningServer) => Promise<unknown>): Promise<void> {
  for (const server of await announced()) {
    if (!(await hasEnded(server))) continue;
    await forget(server);
    await rm(join(serversFolder(), `${server.process.pid}.json`), { force: true });
  }
}

async function hasEnded(server: RunningServer): Promise<boolean> {
  return (await isRunning(server.process)) === false;
}

async function announced(): Promise<readonly RunningServer[]> {
  const folder = serversFolder();
  const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
  const texts = await Promise.all(
    names
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => readFile(join(folder, name), 'utf8').catch(undefinedIfMissing)),
  );
  return texts.filter((text) => text !== undefined).map((text) => JSON.parse(text) as RunningServer);
}
