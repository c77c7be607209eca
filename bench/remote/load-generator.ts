import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './load-process.ts';

const loadProcess = fileURLToPath(new URL('load-process.js', import.meta.url));

/** Ten thousand clients in a separate process. */
export class LoadGenerator implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the process. Resolves when it has verified that it counts correctly and is fast enough. */
  static async start(): Promise<LoadGenerator> {
    const generator = new LoadGenerator(fork(loadProcess, { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] }));
    await generator.#ask({ do: 'check' });
    return generator;
  }

  /** Connects `count` clients, each with a session. */
  async connect(port: number, count: number): Promise<void> {
    await this.#ask({ do: 'connect', port, count });
  }

  /** Waits for `count` updates in total, and verifies that each client received its own, in order. */
  async received(count: number): Promise<void> {
    await this.#ask({ do: 'receive', count });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }

  /** Sends an order; throws an error that the process reports. */
  async #ask(order: Order): Promise<void> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#child.once('message', (message) => resolve(message as Answer));
      this.#child.once('exit', () => reject(new Error('the load generator ended')));
      this.#child.send(order);
    });
    this.#child.removeAllListeners('exit');
    if ('failure' in answer) throw new Error(`load generator: ${answer.failure}`);
  }
}
