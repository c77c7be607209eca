import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { factsOf, orderUpdates, type SendOrder } from '../gateway/orders.ts';
import type { NodeFacts, NodeSetting } from './node-process.ts';

const program = fileURLToPath(new URL('../dist/nodes/node-process.js', import.meta.url));

/** A node in a separate process. */
export class RunningNode {
  readonly url: string;
  isRunning = true;
  readonly #child: ChildProcess;
  /** Resolves with its exit code, or null after a signal. */
  readonly ended: Promise<number | null>;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.ended = once(child, 'exit').then(([code]) => {
      this.isRunning = false;
      return code as number | null;
    });
  }

  static async start(setting: NodeSetting): Promise<RunningNode> {
    const child = fork(program, [JSON.stringify(setting)], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
    const exited = once(child, 'exit').then(() => Promise.reject(new Error('a node ended before it listened')));
    const [{ url }] = (await Promise.race([once(child, 'message'), exited])) as [{ readonly url: string }];
    return new RunningNode(child, url);
  }

  /** Sends updates to every session whose agent is on this node; resolves when all are sent. */
  send(order: SendOrder): Promise<void> {
    return orderUpdates(this.#child, order);
  }

  facts(): Promise<NodeFacts> {
    return factsOf(this.#child);
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
