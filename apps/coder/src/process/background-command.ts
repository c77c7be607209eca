import { runLocally } from '@turnwire/agent/node';
import type { CommandOutcome, CommandRequest } from '@turnwire/agent';
import type { CommandLog } from './command-logs.ts';

/** The most unread output that is buffered, in UTF-16 units. */
const longest = 64 * 1024;

/** A command to start. */
export interface StartedCommand {
  readonly command: string;
  /** Absolute folder to run in. */
  readonly cwd: string;
  readonly env: CommandRequest['env'];
}

/** The output and end of a command since the last read. */
export interface BackgroundOutput {
  /** The end of its output since then. */
  readonly output: string;
  /** True if there was more output. */
  readonly isCut: boolean;
  /** How it ended; an error if it could not be started. Undefined: it runs. */
  readonly end: CommandOutcome | Error | undefined;
}

/** A command that runs in the background of the conversation. */
export class BackgroundCommand {
  readonly id: string;
  readonly command: string;
  readonly log: CommandLog;
  /** Resolves when it is over; never rejects. */
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();
  #unseen = '';
  #isCut = false;
  #end: CommandOutcome | Error | undefined;

  constructor(id: string, { log, ...started }: StartedCommand & { readonly log: CommandLog }) {
    this.id = id;
    this.command = started.command;
    this.log = log;
    this.ended = this.#run(started);
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  /** Returns the output since the last read. */
  takeOutput(): BackgroundOutput {
    const news = {
      output: this.#unseen.slice(-longest),
      isCut: this.#isCut || this.#unseen.length > longest,
      end: this.#end,
    };
    this.#unseen = '';
    this.#isCut = false;
    return news;
  }

  /** Ends it with all processes it started. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('Stopped.'));
    await this.ended;
  }

  async #run(command: StartedCommand): Promise<void> {
    try {
      const { signal } = this.#stop;
      this.#end = await runLocally({ ...command, signal, onOutput: (text) => this.#printed(text) });
    } catch (error) {
      this.#end = error instanceof Error ? error : new Error(String(error));
    }
  }

  #printed(text: string): void | Promise<void> {
    this.#unseen += text;
    if (this.#unseen.length > 2 * longest) {
      this.#unseen = this.#unseen.slice(-longest);
      this.#isCut = true;
    }
    return this.log.append(text);
  }
}
