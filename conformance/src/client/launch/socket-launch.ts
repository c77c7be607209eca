import type { Socket } from 'node:net';
import type { Line } from '../../wire/line.ts';
import { type ByteReceiver, linesTo } from '../../wire/lines-to.ts';
import { FrameReader, frames } from './frames.ts';
import type { Launch, LaunchedProcess, LaunchEvent } from './launch.ts';

type Hello = Pick<LaunchedProcess, 'pid' | 'args' | 'env' | 'cwd'> & { readonly ppid: number };

/** Reports a launch once the launcher has introduced itself. A launcher may disconnect before that. */
export function socketLaunch(socket: Socket, onLaunch: (launch: Launch) => void): void {
  let launched: SocketLaunch | undefined;
  const reader = new FrameReader();
  socket.on('data', (chunk: Buffer) => {
    for (const { letter, bytes } of reader.take(chunk)) {
      if (letter === 'h') onLaunch((launched = new SocketLaunch(socket, JSON.parse(String(bytes)) as Hello)));
      else launched?.take(letter, bytes);
    }
  });
  socket.once('close', () => launched?.end());
}

/** The process of an agent, at the other end of a socket. */
class SocketLaunch implements Launch, LaunchedProcess {
  readonly line: Line;
  readonly process: LaunchedProcess = this;
  readonly pid: number;
  readonly parent: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly gone: Promise<void>;
  readonly events: LaunchEvent[] = [];
  left = false;
  readonly #socket: Socket;
  readonly #listeners = new Set<(event: LaunchEvent) => void>();
  #lines: ByteReceiver | undefined;
  #hasEnded = false;

  constructor(socket: Socket, { pid, ppid, args, env, cwd }: Hello) {
    this.#socket = socket;
    this.pid = pid;
    this.parent = ppid;
    this.args = args;
    this.env = env;
    this.cwd = cwd;
    this.gone = new Promise((resolve) => socket.once('close', () => resolve()));
    this.line = {
      start: (receiver) => void (this.#lines = linesTo(receiver)),
      send: (text) => this.#send('o', `${text}\n`),
      sendBytes: (bytes) => new Promise((resolve) => void this.#socket.write(frames('o', bytes), () => resolve())),
      endInput: () => this.#send('c'),
      close: async () => {
        this.#socket.destroy();
        await this.gone;
      },
    };
  }

  onEvent(listener: (event: LaunchEvent) => void): void {
    this.#listeners.add(listener);
    for (const event of this.events) listener(event);
  }

  exit(code: number): void {
    this.left = true;
    this.#send('q', String(code));
  }

  die(signal: NodeJS.Signals): void {
    this.left = true;
    this.#send('k', signal);
  }

  print(text: string | Uint8Array): void {
    this.#send('r', text);
  }

  flood(text: string, times: number): void {
    this.#send('n', JSON.stringify({ text, times }));
  }

  take(letter: string, bytes: Buffer): void {
    if (letter === 'i') this.#lines?.take(bytes);
    if (letter === 'e') this.#event('end of stdin');
    if (letter === 's') this.#event(String(bytes) as LaunchEvent);
  }

  end(): void {
    this.#event('gone');
  }

  #event(event: LaunchEvent): void {
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
    if (this.#hasEnded || (event !== 'end of stdin' && event !== 'gone')) return;
    this.#hasEnded = true;
    this.#lines?.end();
  }

  #send(letter: string, bytes: Uint8Array | string = ''): void {
    if (!this.#socket.destroyed) this.#socket.write(frames(letter, bytes));
  }
}
