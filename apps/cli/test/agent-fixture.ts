import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { turnwire, type Outcome } from './command.ts';

/** A place for one test: a project, and configurations of its own. */
export interface AgentFixture {
  readonly project: string;
  /** The user's file. */
  readonly userConfig: string;
  readonly projectConfig: string;
  readonly run: (...words: readonly string[]) => Promise<Outcome>;
  readonly runWith: (env: Readonly<Record<string, string>>, ...words: readonly string[]) => Promise<Outcome>;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
}

/** Makes a place; it is deleted when the test is over. Nothing that is installed on this machine is found in it. */
export async function agentFixture(): Promise<AgentFixture> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-agents-')));
  const project = join(folder, 'project');
  const env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    PATH: join(folder, 'bin'),
    TURNWIRE_REGISTRY: '',
  };
  await Promise.all([join(project, '.git'), env.PATH].map((each) => mkdir(each, { recursive: true })));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const runWith: AgentFixture['runWith'] = (more, ...words) =>
    turnwire(words, { cwd: project, env: { ...env, ...more } });
  return {
    project,
    userConfig: join(env.XDG_CONFIG_HOME, 'turnwire', 'config.json'),
    projectConfig: join(project, '.turnwire', 'config.json'),
    runWith,
    run: (...words) => runWith({}, ...words),
    write: async (path, text) => {
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, text);
    },
    read: (path) => readFile(path, 'utf8'),
  };
}

/** A server on this machine, for as long as the test lasts. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry.json`, close };
}
