import { once } from 'node:events';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { assetPath } from '@turnwire/machine';
import type { Launch } from './launch.ts';
import { socketLaunch } from './socket-launch.ts';

/** The address under which clients start or reach the simulated agent. */
export interface LaunchPad extends AsyncDisposable {
  /** The program that a client starts as its agent, or the URL. */
  readonly path: string;
}

/**
 * Creates a program that stands for an agent, and reports every start of it.
 * @param folder a folder for this program alone
 * @param names additional names of the program in that folder, for clients whose agent has a fixed name
 */
export async function openLaunchPad(
  folder: string,
  names: readonly string[],
  onLaunch: (launch: Launch) => void,
): Promise<LaunchPad> {
  const path = join(folder, 'agent.mjs');
  // A copy that runs with this Node.js: the client may have another one, or none, in its path.
  const text = await readFile(assetPath('launcher.mjs', import.meta.url), 'utf8');
  await writeFile(path, text.replace('#!/usr/bin/env node', interpreterLine(process.execPath)));
  await chmod(path, 0o755);
  for (const name of names) await symlink(path, join(folder, name));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socketLaunch(socket, onLaunch);
  });
  server.listen(join(folder, 'agent.sock'));
  await once(server, 'listening');
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The interpreter line of a script. It cannot contain spaces, and its length is limited. */
function interpreterLine(program: string): string {
  return program.includes(' ') || program.length > 100 ? '#!/usr/bin/env node' : `#!${program}`;
}
