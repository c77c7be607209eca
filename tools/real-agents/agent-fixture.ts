import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type KnownAgent, knownAgentNamed } from '@turnwire/client/known-agents';
import type { RealAgent } from './agents.ts';
import { Frames } from './frames.ts';
import { type InstalledAgent } from './install.ts';
import { ModelServer } from './model-server.ts';
import { kill, processesWith } from './processes.ts';

const bin = fileURLToPath(new URL('../../apps/cli/bin/turnwire.js', import.meta.url));

/** How a run of the command exited. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly frames: Frames;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run of the command, in addition to the prompt. */
export interface CommandOptions {
  readonly flags?: readonly string[];
  /** Called after the first output of the agent. */
  readonly onFirstOutput?: (child: ChildProcess) => void;
}

/** An agent with a home folder, a working folder, and its own model. */
export class AgentFixture implements AsyncDisposable {
  readonly agent: RealAgent;
  readonly installed: InstalledAgent;
  readonly model: ModelServer;
  /** The working folder of the agent. */
  readonly work: string;
  /** A text in the environment of everything that is started here. */
  readonly mark: string = `REAL_AGENTS_MARK=${randomUUID()}`;
  /** Screenshots by name. */
  readonly pictures: Map<string, Buffer> = new Map<string, Buffer>();
  /** The version of the protocol that `turnwire` asks the agent for. Undefined: its default. */
  readonly protocol: string | undefined;
  readonly #folder: string;
  #output = '';

  private constructor(given: Pick<AgentFixture, 'agent' | 'installed' | 'model' | 'protocol'>, folder: string) {
    this.agent = given.agent;
    this.installed = given.installed;
    this.model = given.model;
    this.protocol = given.protocol;
    this.#folder = folder;
    this.work = join(folder, 'work');
  }

  /** Prepares everything that the agent needs. */
  static async prepare(agent: RealAgent, installed: InstalledAgent, protocol?: string): Promise<AgentFixture> {
    const model = await ModelServer.start();
    const fixture = new AgentFixture(
      { agent, installed, model, protocol },
      await mkdtemp(join(tmpdir(), `real-agents-${agent.name}-`)),
    );
    for (const folder of [fixture.work, join(fixture.home, 'tmp')]) await mkdir(folder, { recursive: true });
    for (const [path, content] of Object.entries(agent.files?.(model.url) ?? {})) {
      await mkdir(dirname(join(fixture.home, path)), { recursive: true });
      await writeFile(join(fixture.home, path), content);
    }
    return fixture;
  }

  /** Its entry in the table of known agents. */
  get known(): KnownAgent | undefined {
    return knownAgentNamed(this.agent.name);
  }

  get home(): string {
    return join(this.#folder, 'home');
  }

  /** The environment of the agent, in addition to what every agent inherits. */
  get environment(): Readonly<Record<string, string>> {
    const [markName = '', markValue = ''] = this.mark.split('=');
    // Its own temporary folder as well: codex creates no helpers in a home inside the temporary folder.
    const places = { HOME: this.home, TMPDIR: join(this.home, 'tmp'), PATH: this.installed.path };
    const own = { ...places, [markName]: markValue };
    // The state folders are in its home, wherever the user keeps theirs.
    const folders = { XDG_CONFIG_HOME: join(this.home, '.config'), XDG_DATA_HOME: join(this.home, '.local/share') };
    return { ...own, ...folders, ...this.agent.environment(this.model.url) };
  }

  /** Runs one turn with `turnwire exec`. */
  exec(prompt: string, { flags = [], onFirstOutput }: CommandOptions = {}): Promise<CommandOutcome> {
    return this.turnwire(['exec', '--format', 'json', ...flags, '--', prompt], onFirstOutput);
  }

  /** A command line of `turnwire` with the agent, and its environment. */
  command(words: readonly string[]): { readonly words: readonly string[]; readonly env: NodeJS.ProcessEnv } {
    const assignments = Object.entries(this.environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const agent = ['--agent', quoted(this.installed.command), '--cwd', this.work, ...assignments];
    const version = this.protocol === undefined ? [] : ['--protocol', this.protocol];
    return {
      words: [process.execPath, bin, ...agent, ...version, ...words],
      env: { ...process.env, ...this.environment, PATH: process.env['PATH'] },
    };
  }

  /** Starts `turnwire` with the agent. */
  start(words: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    const {
      words: [program = '', ...args],
      env,
    } = this.command(words);
    return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  }

  /** Runs `turnwire` with the agent to its end. */
  async turnwire(words: readonly string[], onFirstOutput?: CommandOptions['onFirstOutput']): Promise<CommandOutcome> {
    const child = this.start(words);
    if (onFirstOutput) whenItSpeaks(child, onFirstOutput);
    const ended = new Promise<Pick<CommandOutcome, 'code' | 'signal'>>((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    this.heard(stdout);
    return { ...(await ended), stdout, stderr, frames: new Frames(stdout.split('\n')) };
  }

  /** Records frames for {@link takeOutput}. */
  heard(frames: string): void {
    this.#output += frames;
  }

  /** Returns all frames since the last call. */
  takeOutput(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    kill(await processesWith(this.mark));
    await this.model[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function whenItSpeaks(child: ChildProcess, then: (child: ChildProcess) => void): void {
  let printed = '';
  const look = (chunk: Buffer): void => {
    printed += chunk.toString();
    if (!/"agent_message_chunk".*working|working.*"agent_message_chunk"/.test(printed)) return;
    child.stdout?.off('data', look);
    then(child);
  };
  child.stdout?.on('data', look);
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}
