import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import {
  endWithLeader,
  LineSplitter,
  type OutputTail,
  programContext,
  restored,
  sheltered,
  spawnRule,
  type Started,
  startTree,
} from '@turnwire/machine';
import { pause, within } from '@turnwire/machine/waits';

const goodbye = 500;
const longestMiB = 16;
const endSteps = { terminate: 2_000, kill: 500 };

/** A server to start. */
export interface ChildServer {
  readonly command: string;
  readonly args: readonly string[];
  /** All of its variables. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder it starts in. */
  readonly cwd: string;
  /** Receives its stderr. */
  readonly stderr: OutputTail;
}

/**
 * Exchanges messages with a server over its stdin and stdout (MCP: stdio). It and all processes it starts end with the connection and with
 * this process. Lines on stdout that are not messages are counted and left out.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** How it ended, once it has: `exit code 1`, `signal SIGKILL`. */
  ending: string | undefined;
  /** How many lines on stdout were not messages. */
  strayLines = 0;
  readonly #server: ChildServer;
  readonly #lines = new LineSplitter(longestMiB * 1024 * 1024);
  #started: Started<ChildProcessWithoutNullStreams> | undefined;
  #closing: Promise<void> | undefined;
  #isBroken = false;
  #passed: Promise<void> = Promise.resolve();
  readonly #over = new AbortController();

  constructor(server: ChildServer) {
    this.#server = server;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server;
    const rule = spawnRule([command, ...args], programContext(cwd, env));
    this.#started = await startTree<ChildProcessWithoutNullStreams>(rule, { cwd, env }, 'pipe');
    endWithLeader(this.#started);
    this.#listen(this.#started.child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(restored(serializeMessage(message)));
    } catch {
      // The pipe breaks before the exit event reports how the server ended.
      await pause(goodbye, this.#over.signal).catch(() => undefined);
      throw new Error('the server no longer accepts messages');
    }
  }

  /** Lets the server exit, then ends it and all it started. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #write(line: string): Promise<void> {
    const stdin = this.#started?.child.stdin;
    if (!stdin?.writable) throw new Error('there is no pipe to the server');
    if (!stdin.write(line)) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]);
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    child.on('error', (error) => this.onerror?.(error));
    child.once('exit', (code, signal) => {
      this.ending ??= signal === null ? `exit code ${code}` : `signal ${signal}`;
    });
    child.once('close', () => this.#closed());
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#server.stderr.write(chunk));
  }

  #read(chunk: Buffer): void {
    if (this.#isBroken) return;
    const lines = this.#lines.push(chunk);
    const whole = lines.filter((line) => typeof line === 'string');
    // One after the other: the library calls its handlers of progress later, but forgets them at once when the answer comes.
    for (const line of whole) this.#passed = this.#passed.then(() => this.#pass(line)).catch(this.#report);
    if (whole.length === lines.length && !this.#lines.isTooLong) return;
    this.ending ??= `it sent a message of more than ${longestMiB} MiB`;
    // Further output is discarded, but still read, or the server could not exit.
    this.#isBroken = true;
    this.#lines.clear();
    void this.close();
  }

  readonly #report = (error: unknown): void => this.onerror?.(error as Error);

  #pass(line: string): void {
    const message = parsed(line);
    if (message) this.onmessage?.(message);
    else if (line.trim() !== '') this.strayLines++;
  }

  async #close(): Promise<void> {
    if (this.#started === undefined) return;
    const { child, tree } = this.#started;
    if (child.exitCode === null && child.signalCode === null) {
      child.stdin.end();
      await within(goodbye, once(child, 'exit'));
    }
    await tree.end(endSteps);
    // A process that could not be ended may keep the pipes open forever.
    child.stdout.destroy();
    child.stderr.destroy();
    this.#closed();
  }

  #closed(): void {
    this.#over.abort();
    this.#lines.clear();
    const { onclose } = this;
    delete this.onclose;
    onclose?.();
  }
}

function parsed(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(sheltered(line));
  } catch {
    return undefined;
  }
}
