import { once } from 'node:events';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { assetPath } from '@turnwire/machine';
import type { Launch } from './launch.ts';
import { socketLaunch } from './socket-launch.ts';

/** Where clients start the agent that is played. */
export interface LaunchPad extends AsyncDisposable {
  /** The program a client is given as its agent. */
  readonly path: string;
}

/** What a launch pad needs. */
export interface LaunchPadOptions {
  /** Its own folder. */
  readonly folder: string;
  /** More names the program goes by there, for clients whose agent has a fixed name. */
  readonly names: readonly string[];
  readonly onLaunch: (launch: Launch) => void;
}

/** Lays out a program that stands for an agent, and waits for it to be started, however often. */
export async function openLaunchPad({ folder, names, onLaunch }: LaunchPadOptions): Promise<LaunchPad> {
  const path = join(folder, 'agent.mjs');
  await layOut(path);
  for (const name of names) await symlink(path, join(folder, name));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    void socketLaunch(socket).then(onLaunch);
  });
  await listening(server, join(folder, 'agent.sock'));
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A copy of the launcher that is started by this very Node.js: a client may have another one, or none, in its path. */
async function layOut(path: string): Promise<void> {
  const text = await readFile(assetPath('launcher.mjs', import.meta.url), 'utf8');
  await writeFile(path, text.replace('#!/usr/bin/env node', interpreterLine(process.execPath)));
  await chmod(path, 0o755);
}

/** A line that names a program cannot hold spaces, nor be long. */
function interpreterLine(program: string): string {
  return program.includes(' ') || program.length > 100 ? '#!/usr/bin/env node' : `#!${program}`;
}

async function listening(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}
