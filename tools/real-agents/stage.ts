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

/** How a run of the command ended. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly frames: Frames;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run of the command is given besides the prompt. */
export interface CommandOptions {
  readonly flags?: readonly string[];
  /** Called when the agent has said something for the first time. */
  readonly onFirstWords?: (child: ChildProcess) => void;
}

/** An agent with a home, a folder to work in, and a model of its own. */
export class Stage implements AsyncDisposable {
  readonly agent: RealAgent;
  readonly installed: InstalledAgent;
  readonly model: ModelServer;
  /** The folder the agent works in. */
  readonly work: string;
  /** In the environment of everything started here. */
  readonly mark: string = `REAL_AGENTS_MARK=${randomUUID()}`;
  /** Pictures that were taken, by name. */
  readonly pictures: Map<string, Buffer> = new Map<string, Buffer>();
  readonly #folder: string;
  #output = '';

  private constructor(given: Pick<Stage, 'agent' | 'installed' | 'model'>, folder: string) {
    this.agent = given.agent;
    this.installed = given.installed;
    this.model = given.model;
    this.#folder = folder;
    this.work = join(folder, 'work');
  }

  /** Prepares everything the agent needs. */
  static async prepare(agent: RealAgent, installed: InstalledAgent): Promise<Stage> {
    const model = await ModelServer.start();
    const stage = new Stage({ agent, installed, model }, await mkdtemp(join(tmpdir(), `real-agents-${agent.name}-`)));
    for (const folder of [stage.work, join(stage.home, 'tmp')]) await mkdir(folder, { recursive: true });
    for (const [path, content] of Object.entries(agent.files?.(model.url) ?? {})) {
      await mkdir(dirname(join(stage.home, path)), { recursive: true });
      await writeFile(join(stage.home, path), content);
    }
    return stage;
  }

  /** What the table of known agents says of it. */
  get known(): KnownAgent | undefined {
    return knownAgentNamed(this.agent.name);
  }

  get home(): string {
    return join(this.#folder, 'home');
  }

  /** What the agent is given besides what every agent inherits. */
  get environment(): Readonly<Record<string, string>> {
    const [markName = '', markValue = ''] = this.mark.split('=');
    // A temporary folder of its own as well: codex puts no helpers into a home that is in the temporary folder.
    const places = { HOME: this.home, TMPDIR: join(this.home, 'tmp'), PATH: this.installed.path };
    const own = { ...places, [markName]: markValue };
    // A home of its own has its own folders for state, wherever the user keeps theirs.
    const folders = { XDG_CONFIG_HOME: join(this.home, '.config'), XDG_DATA_HOME: join(this.home, '.local/share') };
    return { ...own, ...folders, ...this.agent.environment(this.model.url) };
  }

  /** Runs one turn with `turnwire exec`. */
  exec(prompt: string, { flags = [], onFirstWords }: CommandOptions = {}): Promise<CommandOutcome> {
    return this.turnwire(['exec', '--format', 'json', ...flags, '--', prompt], onFirstWords);
  }

  /** Starts `turnwire` with the agent. */
  start(words: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    const assignments = Object.entries(this.environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const agent = ['--agent', quoted(this.installed.command), '--cwd', this.work, ...assignments];
    return spawn(process.execPath, [bin, ...agent, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.environment, PATH: process.env['PATH'] },
    });
  }

  /** Runs `turnwire` with the agent to its end. */
  async turnwire(words: readonly string[], onFirstWords?: CommandOptions['onFirstWords']): Promise<CommandOutcome> {
    const child = this.start(words);
    if (onFirstWords) whenItSpeaks(child, onFirstWords);
    const ended = new Promise<Pick<CommandOutcome, 'code' | 'signal'>>((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    this.heard(stdout);
    return { ...(await ended), stdout, stderr, frames: new Frames(stdout.split('\n')) };
  }

  /** Keeps frames for {@link takeOutput}. */
  heard(frames: string): void {
    this.#output += frames;
  }

  /** All frames since it was asked last. */
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
