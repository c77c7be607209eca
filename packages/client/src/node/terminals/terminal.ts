import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { requestCancelled, type TerminalExitStatus } from '@turnwire/protocol';
import { Deadline, unlessAborted, within } from '@turnwire/machine/waits';
import { OutputTail } from '@turnwire/machine';
import type { TerminalSnapshot } from '../../host/host.ts';
import { endWait, type RunningCommand } from './running-command.ts';
import type { SnapshotChannel, SnapshotFeed } from './snapshot-feed.ts';

/** The inputs of a terminal. */
export interface TerminalParts {
  readonly command: RunningCommand;
  readonly sessionId: string;
  /** The command as a user would type it. */
  readonly line: string;
  /** The maximum number of bytes of output stored. */
  readonly limit: number;
  readonly feed: SnapshotFeed;
}

/** A running or finished command of an agent, and the end of its output. */
export class Terminal {
  readonly id: string = `terminal-${randomUUID()}`;
  readonly sessionId: string;
  readonly #command: RunningCommand;
  readonly #line: string;
  readonly #output: OutputTail;
  readonly #channel: SnapshotChannel;
  readonly #exited: Promise<TerminalExitStatus>;
  #resolveExited: (exit: TerminalExitStatus) => void = () => undefined;
  #exit: TerminalExitStatus | undefined;
  #killing: Promise<void> | undefined;

  constructor({ command, sessionId, line, limit, feed }: TerminalParts) {
    this.#command = command;
    this.sessionId = sessionId;
    this.#line = line;
    this.#output = new OutputTail(limit);
    this.#exited = new Promise((resolve) => (this.#resolveExited = resolve));
    this.#channel = feed.channel(() => this.snapshot());
    for (const stream of command.output) this.#read(stream);
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
    for (const stream of this.#command.output) stream.destroy();
    this.#command.release();
    // Do not wait for a process that survived SIGKILL.
    this.#ended({ exitCode: null, signal: null });
  }

  async #kill(): Promise<void> {
    await this.#command.end();
    await within(endWait, this.#exited);
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
    const { code, signal } = await this.#command.exit;
    this.#ended({ exitCode: code, signal });
  }

  #ended(exit: TerminalExitStatus): void {
    if (this.#exit !== undefined) return;
    this.#exit = exit;
    this.#channel.flush();
    this.#resolveExited(exit);
  }
}
