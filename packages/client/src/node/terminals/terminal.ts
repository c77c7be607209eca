import { randomUUID } from 'node:crypto';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { requestCancelled, type TerminalExitStatus } from '@turnwire/protocol';
import { Deadline, unlessAborted, within } from '@turnwire/machine/waits';
import { disown, endOf, OutputTail, type Started } from '@turnwire/machine';
import type { TerminalSnapshot } from '../../host/host.ts';
import type { SnapshotChannel, SnapshotFeed } from './snapshot-feed.ts';

/** The process of a terminal: without input; stderr is joined into stdout where there is a shell to do it. */
export type TerminalChild = ChildProcessByStdio<null, Readable, Readable>;

/** The inputs of a terminal. */
export interface TerminalParts {
  readonly started: Started<TerminalChild>;
  readonly sessionId: string;
  /** The command as a user would type it. */
  readonly line: string;
  /** The most bytes of output stored. */
  readonly limit: number;
  readonly feed: SnapshotFeed;
}

const endSteps = { terminate: 1_000, kill: 500 };
/** After the exit: milliseconds to wait for the rest of the output, which a descendant may keep open. */
const outputWait = 100;

/** A running or finished command of an agent, and the end of its output. */
export class Terminal {
  readonly id: string = `terminal-${randomUUID()}`;
  readonly sessionId: string;
  readonly #started: Started<TerminalChild>;
  readonly #line: string;
  readonly #output: OutputTail;
  readonly #channel: SnapshotChannel;
  readonly #exited: Promise<TerminalExitStatus>;
  #resolveExited: (exit: TerminalExitStatus) => void = () => undefined;
  #exit: TerminalExitStatus | undefined;
  #killing: Promise<void> | undefined;

  constructor({ started, sessionId, line, limit, feed }: TerminalParts) {
    this.#started = started;
    this.sessionId = sessionId;
    this.#line = line;
    this.#output = new OutputTail(limit);
    this.#exited = new Promise((resolve) => (this.#resolveExited = resolve));
    this.#channel = feed.channel(() => this.snapshot());
    for (const stream of [started.child.stdout, started.child.stderr]) this.#read(stream);
    void this.#watch();
    this.#channel.flush();
  }

  snapshot(): TerminalSnapshot {
    return {
      terminalId: this.id,
      sessionId: this.sessionId,
      command: this.#line,
      output: this.#output.text(),
      truncated: this.#output.isCut,
      ...(this.#exit && { exitStatus: this.#exit }),
    };
  }

  /** How the command ended; undefined if it still runs after `limit` milliseconds. Rejects with requestCancelled on an abort. */
  async exit(signal: AbortSignal, limit: number = Infinity): Promise<TerminalExitStatus | undefined> {
    if (this.#exit !== undefined) return this.#exit;
    using deadline = new Deadline(limit, signal);
    try {
      return await unlessAborted(this.#exited, deadline.signal);
    } catch {
      if (signal.aborted) throw requestCancelled();
      return undefined;
    }
  }

  /** Ends the command's process tree, step by step. The output stays. */
  kill(): Promise<void> {
    this.#killing ??= this.#kill();
    return this.#killing;
  }

  /** Ends the command, and releases all its resources. */
  async release(): Promise<void> {
    await this.kill();
    const { child, tree } = this.#started;
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    child.unref();
    disown(tree);
    // A process that even SIGKILL did not end is not waited for.
    this.#ended({ exitCode: null, signal: null });
  }

  async #kill(): Promise<void> {
    await this.#started.tree.end(endSteps);
    await within(endSteps.kill, this.#exited);
  }

  #read(stream: Readable): void {
    const write = this.#output.input();
    stream.on('data', (chunk: Buffer) => {
      if (write(chunk)) this.#channel.changed();
    });
    stream.once('close', () => {
      if (write()) this.#channel.changed();
    });
  }

  async #watch(): Promise<void> {
    const { code, signal } = await endOf(this.#started.child, outputWait);
    this.#ended({ exitCode: code, signal });
  }

  #ended(exit: TerminalExitStatus): void {
    if (this.#exit !== undefined) return;
    this.#exit = exit;
    this.#channel.flush();
    this.#resolveExited(exit);
  }
}
