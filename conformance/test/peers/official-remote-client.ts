import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { plainDriver } from '../../src/client/drive/client-driver.ts';
import type { ClientRun } from '../../src/client/drive/client-run.ts';
import type { ClientOrder, ClientSubject } from '../../src/client/drive/client-subject.ts';
import { commandClient } from '../../src/client/drive/command-client.ts';
import type { Exit } from '../../src/wire/line.ts';
import { promptOfficially } from './official-remote-client-app.mjs';

const program = fileURLToPath(new URL('official-remote-client.mjs', import.meta.url));

/** A client with the official SDK that reaches its agent over a WebSocket, as a process. */
export function officialClientProcess(): ClientSubject {
  const words = [process.execPath, bundleProgram(program), '{agent}', '{cwd}', '{prompt}'];
  return commandClient(plainDriver(words), 'websocket');
}

/** A client with the official SDK over HTTP in this process, which starts at once. */
export function officialClient(): ClientSubject {
  return {
    name: 'official',
    over: 'http',
    can: (action) => action === 'prompt',
    start: (order) => Promise.resolve(runOf(order)),
  };
}

function runOf({ values: { agent: url = '', cwd = '', prompt = '' } }: ClientOrder): ClientRun {
  const stop = new AbortController();
  let [out, err] = ['', ''];
  const print = (text: string): void => void (out += `${text}\n`);
  const done = promptOfficially({ url, cwd, prompt, print, signal: stop.signal }).then(
    (): Exit => ({ code: 0, signal: null }),
    (error: unknown): Exit => {
      err += `${(error as Error).message}\n`;
      return { code: 1, signal: null };
    },
  );
  const stopped = new Promise<Exit>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve({ code: null, signal: 'SIGINT' })),
  );
  const exited = Promise.race([done, stopped]);
  return {
    exited,
    pids: () => [process.pid],
    stdout: () => out,
    stderr: () => err,
    cancel: () => Promise.resolve(stop.abort()),
    interrupt: () => stop.abort(),
    kill: async () => {
      stop.abort();
      await exited;
    },
  };
}
