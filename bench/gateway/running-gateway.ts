import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Facts, Setting } from './gateway-process.ts';
import { factsOf, orderUpdates, type SendOrder } from './orders.ts';

const program = fileURLToPath(new URL('gateway-process.js', import.meta.url));

/** A gateway in a separate process. */
export class RunningGateway implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `ws://127.0.0.1:${port}/acp`;
  }

  static async start(setting: Setting, nodeOptions: readonly string[] = []): Promise<RunningGateway> {
    const child = fork(program, [JSON.stringify(setting)], {
      execArgv: ['--expose-gc', ...nodeOptions],
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
    return new RunningGateway(child, port);
  }

  /** Sends updates to every session, as their agents would; resolves when all are sent. */
  send(order: SendOrder): Promise<void> {
    return orderUpdates(this.#child, order);
  }

  facts(): Promise<Facts> {
    return factsOf(this.#child);
  }

  /** Kills the gateway like the kernel when memory is exhausted. Resolves when the process has ended. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    if (this.#child.kill('SIGKILL')) await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
