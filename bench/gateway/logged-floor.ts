import { mkdtempSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import { floorAgent } from '../wire/floor-peer.ts';

/** An update to store, and a callback after that. */
interface Waiting {
  readonly session: number;
  readonly sequence: number;
  readonly text: string;
  readonly stored: () => void;
}

/** The log of all sessions: updates that arrive while its thread is busy share the next transaction. */
class Log {
  readonly #thread: Worker;
  #waiting: Waiting[] = [];
  #underWay: readonly Waiting[] = [];
  #isDue = false;

  constructor(path: string) {
    this.#thread = new Worker(new URL('log-thread.js', import.meta.url), { workerData: path });
    this.#thread.on('message', () => {
      for (const { stored } of this.#underWay) stored();
      this.#underWay = [];
      this.#post();
    });
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (this.#isDue || this.#underWay.length > 0) return;
    this.#isDue = true;
    queueMicrotask(() => this.#post());
  }

  #post(): void {
    this.#isDue = false;
    if (this.#waiting.length === 0) return;
    this.#underWay = this.#waiting;
    this.#waiting = [];
    const at = Date.now();
    this.#thread.postMessage(this.#underWay.flatMap(({ session, sequence, text }) => [session, sequence, at, text]));
  }
}

/**
 * Bare `ws` and bare SQLite: an update is stored as the text of its message, and then sent. Any server with a log costs at least as much as
 * this one.
 */
export function serveLoggedFloor(server: Server): void {
  const log = new Log(join(mkdtempSync(join(tmpdir(), 'turnwire-bench-')), 'log.sqlite'));
  let sessions = 0;
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
    const session = ++sessions;
    let sequence = 0;
    const peer = floorAgent((text, { method }) => {
      if (method === undefined) socket.send(text);
      else log.add({ session, sequence: ++sequence, text, stored: () => socket.send(text) });
      return undefined;
    });
    socket.on('message', (text: Buffer) => peer.receive(text.toString()));
  });
}
