import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { TurnwireError } from '@turnwire/protocol';
import { within } from '@turnwire/machine/waits';
import {
  disown,
  endOf,
  findProgram,
  OutputTail,
  programContext,
  type ProcessContext,
  type ProcessTree,
  spawnRule,
  type Started,
  startFailure,
  startTree,
} from '@turnwire/machine';
import type { ProcessExit } from '../../agent/agent.ts';
import { type CommandWords, commandLine } from './command-words.ts';
import { withoutProjectPackages } from './npx-command.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const stderrKept = 64 * 1024;
const stderrQuoted = 2_000;
const endSteps = { terminate: 1_000, kill: 500 };
/** After the exit: milliseconds to wait for the rest of its output, which a descendant may keep open. */
const outputWait = 500;

/** A running agent: the leader of its own process group, with pipes to its three standard streams. */
export class AgentProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process has ended and its output has been read, or soon after if another process keeps the output open. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: Child;
  readonly #tree: ProcessTree;
  readonly #name: string;
  readonly #stderr = new OutputTail(stderrKept);
  /** The start of its first output on stdout that is not the protocol. */
  #noise: string | undefined;
  #ending: Promise<ProcessExit | undefined> | undefined;

  private constructor({ child, tree }: Started<Child>, name: string) {
    this.#child = child;
    this.#tree = tree;
    this.#name = name;
    this.pid = tree.leader;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.write(chunk));
    this.exited = endOf(child, outputWait);
  }

  /** Starts a process. Rejects with `launch-failed` if the program does not exist or cannot be run. */
  static async start(words: CommandWords, place: ProcessContext): Promise<AgentProcess> {
    try {
      const context = programContext(place.cwd, place.env);
      // Reports a missing npx as such, instead of an error of the shell.
      const isThere = findProgram(words[0], context) !== undefined;
      const rule = spawnRule(isThere ? await withoutProjectPackages(words) : words, context);
      return new AgentProcess(await startTree<Child>(rule, place, ['pipe', 'pipe', 'pipe']), commandLine(words));
    } catch (cause) {
      throw cause instanceof TurnwireError ? cause : launchFailed(words[0], place.cwd, cause as NodeJS.ErrnoException);
    }
  }

  /** The last 64 KiB of the process's stderr. */
  get stderr(): string {
    return this.#stderr.text();
  }

  /** Records a line on its stdout that is not the protocol. */
  printedNoise(excerpt: string): void {
    this.#noise ??= excerpt;
  }

  /** A sentence about the process, with the end of its stderr: `The agent foo <what happened>. …`. */
  report(what: string): string {
    const printed = this.stderr.trimEnd();
    const quote = printed.length > stderrQuoted ? `…${printed.slice(-stderrQuoted)}` : printed;
    const noise = this.#noise === undefined ? '' : ` On stdout it printed ${JSON.stringify(this.#noise)}.`;
    return `The agent ${this.#name} ${what}.${noise} ${quote === '' ? 'It printed nothing on stderr.' : `It printed on stderr:\n${quote}`}`;
  }

  /** The current processes of the tree, including the leader. Empty on Windows, where they are unknown. */
  look(): readonly number[] {
    return this.#tree.readMembers();
  }

  /**
   * Ends the whole tree, step by step: waits `grace` milliseconds for it to exit by itself (its stdin has been closed), then SIGTERM, then
   * SIGKILL. Resolves with how the process ended; undefined if even SIGKILL did not end it.
   */
  end(grace: number): Promise<ProcessExit | undefined> {
    this.#ending ??= this.#endInSteps(grace);
    return this.#ending;
  }

  async #endInSteps(grace: number): Promise<ProcessExit | undefined> {
    // While the leader lives, its descendants can be found through their parents.
    this.#tree.readMembers();
    await within(grace, this.exited);
    await this.#tree.end(endSteps);
    const exit = await within(endSteps.kill, this.exited);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    this.#child.unref();
    disown(this.#tree);
    return exit;
  }
}

/** `exited with code 3`, `was ended by SIGTERM`. */
export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
}

function launchFailed(program: string, cwd: string, cause: NodeJS.ErrnoException): TurnwireError {
  return new TurnwireError('launch-failed', `The agent could not be started: ${startFailure(program, cwd, cause)}`, {
    cause,
  });
}
