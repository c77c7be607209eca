import { CommandError } from '../../failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import { openUrl } from '../../interactive/open-url.ts';
import type { GlobalOptions } from '../../options.ts';
import { stdout } from '../../terminal/output.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInside, realPath, replaceFile, stateFolder } from '@turnwire/machine';
import { type RunningServer, runningServers } from './running-servers.ts';
import { serve } from './serve.ts';

/** The arguments of `web`. */
export interface WebArguments {
  /** Names or commands of agents for a new server. */
  readonly agents: readonly string[];
  /** The agent named before the command. Only a server with this agent is used. */
  readonly name: string | undefined;
  /** Whether to open a browser in addition to printing the address. */
  readonly open: boolean;
}

/**
 * Opens the web client in a browser, logged in with a ticket. It belongs to a running server that works in this folder, or to a new server
 * that ends with this command. Resolves with the exit code.
 */
export async function web({ agents, name, open }: WebArguments, options: GlobalOptions): Promise<number> {
  const show = async (address: string): Promise<void> => {
    stdout.printLine(address);
    if (open) await openLoggedIn(address);
  };
  const server = agents.length === 0 ? await serverFor(options.cwd, name) : undefined;
  if (!server) {
    const args = {
      agents,
      root: [],
      hostName: [],
      origin: [],
      maxAgents: 100,
      sandboxRead: [],
      sandboxWrite: [],
      onWeb: (address: string) => void show(address),
    } as const;
    return serve(args, options);
  }
  await show(await addressOf(server));
  return exitCodes.ok;
}

/**
 * Opens an address that logs a browser in. Every user of the machine can read command lines, so the browser opens a file that only this user
 * can read, and that redirects to the address.
 */
async function openLoggedIn(address: string): Promise<void> {
  const path = join(stateFolder(), 'open-page.html');
  await mkdir(stateFolder(), { recursive: true, mode: 0o700 });
  await replaceFile(
    path,
    `<!doctype html><meta charset="utf-8"><title>Turnwire</title><meta http-equiv="refresh" content="0; url=${address}">\n`,
  );
  openUrl(pathToFileURL(path).href);
}

interface WebServer extends RunningServer {
  readonly url: string;
  readonly token: string;
}

/** A running server of this user that works in a folder and has the named agent, if there is one. */
async function serverFor(folder: string, agent: string | undefined): Promise<WebServer | undefined> {
  const target = realPath(folder) ?? folder;
  const servers = await runningServers();
  return servers
    .filter((server): server is WebServer => server.url !== undefined && server.token !== undefined)
    .filter(({ agents }) => agent === undefined || agents.includes(agent))
    .find(({ roots }) => roots.some((root) => isInside(realPath(root) ?? root, target)));
}

/** The address of the page of a server, with a new ticket. */
async function addressOf({ url, token }: WebServer): Promise<string> {
  const answer = await fetch(`${url}/tickets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ origin: url }),
  }).catch((cause: unknown) => {
    throw new CommandError(`the server at ${url} cannot be reached: ${(cause as Error).message}`, exitCodes.error);
  });
  if (!answer.ok)
    throw new CommandError(`the server at ${url} refused a ticket: ${await answer.text()}`, exitCodes.error);
  const { ticket } = (await answer.json()) as { readonly ticket: string };
  return `${url}/#ticket=${ticket}`;
}
