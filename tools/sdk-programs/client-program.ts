import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Frames } from '../real-agents/frames.ts';
import { newerNode } from '../real-agents/install.ts';
import { ModelServer } from '../real-agents/model-server.ts';
import { root } from '../run.mjs';
import { installFor, sdkVersion } from './installs.ts';
import type { PreparedProgram, Program, StepName, StepResult } from './program.ts';

/** One turn of a client. */
export interface Turn {
  readonly prompt: string;
  readonly policy: 'allow' | 'deny';
  /** Cancel after the first text of the agent. */
  readonly isCancelled?: boolean;
  /** A session of an earlier process to load first. */
  readonly load?: string | undefined;
  /** The command of the agent. */
  readonly agent: readonly string[];
  /** The working folder of client and agent. */
  readonly work: string;
}

/** A command that runs a turn; several if the client needs more than one process. */
export interface TurnCommand {
  readonly words: readonly string[];
  /** Sent when the agent's first text has arrived. */
  readonly signal?: 'SIGINT';
}

/** A client from npm, and how it runs a turn. */
export interface ClientParts {
  readonly name: string;
  readonly packages: readonly string[];
  /** The steps that the program can do. */
  readonly steps: readonly StepName[];
  /** Called once for an installation. @returns the commands for a turn */
  readonly driver: (modules: string) => Promise<(turn: Turn) => readonly TurnCommand[]>;
}

const tap = fileURLToPath(new URL('drivers/tap.mjs', import.meta.url));
const coder = [process.execPath, join(root, 'apps/cli/bin/turnwire.js'), 'coder'];

/** A client that drives our coding agent, whose model is a program on this machine. */
export function clientProgram({ name, packages, steps, driver }: ClientParts): Program {
  return {
    name,
    packages,
    typed: name,
    prepare: async (side) => {
      const modules = await installFor(side, name.replace(/^.*\//, ''), packages);
      const run = new ClientRun(await driver(modules), await ModelServer.start(), await newerNode());
      return {
        modules,
        sdk: await sdkVersion(modules),
        run: async (step) => (steps.includes(step) ? run.step(step) : undefined),
        [Symbol.asyncDispose]: () => run.dispose(),
      } satisfies PreparedProgram;
    },
  };
}

interface TurnOutcome {
  readonly code: unknown;
  readonly stderr: string;
  readonly frames: Frames;
}

/** The turns of one installation. */
class ClientRun {
  readonly #commands: (turn: Turn) => readonly TurnCommand[];
  readonly #model: ModelServer;
  readonly #node: string;
  #folder = '';
  #lines: string[] = [];

  constructor(commands: (turn: Turn) => readonly TurnCommand[], model: ModelServer, node: string) {
    this.#commands = commands;
    this.#model = model;
    this.#node = node;
  }

  /** Each step has a new home and a new working folder. */
  async step(step: StepName): Promise<StepResult> {
    this.#folder = await mkdtemp(join(tmpdir(), 'sdk-programs-'));
    this.#lines = [];
    await mkdir(this.#work);
    await mkdir(join(this.#folder, 'home'));
    const failures = await this[step]();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    return { failures, frames: this.#lines };
  }

  async dispose(): Promise<void> {
    await this.#model[Symbol.asyncDispose]();
  }

  async write(): Promise<readonly string[]> {
    const file = join(this.#work, 'written.txt');
    const outcome = await this.#turn({ prompt: `script: write ${file} written by the agent`, policy: 'allow' });
    const content = existsSync(file) ? await readFile(file, 'utf8') : undefined;
    return failed(outcome, {
      [`the file contains ${content}`]: content?.trim() === 'written by the agent',
      ...stopped(outcome, 'end_turn'),
    });
  }

  async run(): Promise<readonly string[]> {
    const file = join(this.#work, 'ran.txt');
    const outcome = await this.#turn({ prompt: `script: run echo it ran | tee ${file}`, policy: 'allow' });
    return failed(outcome, {
      'the command did not run': existsSync(file),
      'the client did not receive the output': outcome.frames.said('agent').includes('it ran'),
      ...stopped(outcome, 'end_turn'),
    });
  }

  async deny(): Promise<readonly string[]> {
    const file = join(this.#work, 'denied.txt');
    const outcome = await this.#turn({ prompt: `script: run touch ${file}`, policy: 'deny' });
    return failed(outcome, {
      'the client was not asked': outcome.frames.calls('session/request_permission').length === 1,
      'it was done although it was denied': !existsSync(file),
    });
  }

  async cancel(): Promise<readonly string[]> {
    const outcome = await this.#turn({ prompt: 'script: hang', policy: 'allow', isCancelled: true });
    return failed(outcome, {
      'the client did not cancel': outcome.frames.calls('session/cancel').length > 0,
      ...stopped(outcome, 'cancelled'),
    });
  }

  async load(): Promise<readonly string[]> {
    const first = await this.#turn({ prompt: 'script: say remember the blue door', policy: 'allow' });
    const load = first.frames.sessionId;
    const outcome = await this.#turn({ prompt: 'script: say the door is open', policy: 'allow', load });
    const asked = this.#model.requests.findLast(({ reply }) => reply?.kind === 'text' && reply.text.includes('open'));
    const loaded = [...outcome.frames.answers('session/load'), ...outcome.frames.answers('session/resume')];
    return failed(outcome, {
      'there is no session to load': load !== undefined,
      'the session was not loaded': loaded.some(({ result }) => result !== undefined),
      'the agent does not remember the conversation': JSON.stringify(asked?.body ?? '').includes('the blue door'),
      ...stopped(outcome, 'end_turn'),
    });
  }

  get #work(): string {
    return join(this.#folder, 'work');
  }

  async #turn(turn: Omit<Turn, 'agent' | 'work'>): Promise<TurnOutcome> {
    const log = join(this.#folder, 'frames.jsonl');
    await rm(log, { force: true });
    const commands = this.#commands({ ...turn, work: this.#work, agent: [process.execPath, tap, log, ...coder] });
    let end: Pick<TurnOutcome, 'code' | 'stderr'> = { code: undefined, stderr: '' };
    for (const command of commands) end = await this.#execute(command, log);
    const lines = existsSync(log) ? (await readFile(log, 'utf8')).split('\n') : [];
    this.#lines.push(...lines);
    return { ...end, frames: new Frames(lines) };
  }

  #execute({ words, signal }: TurnCommand, log: string): Promise<Pick<TurnOutcome, 'code' | 'stderr'>> {
    const home = join(this.#folder, 'home');
    const env = {
      ...process.env,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CONFIG_HOME: join(home, 'config'),
      TURNWIRE_CODER_MODEL: 'openai-compatible/scripted',
      OPENAI_COMPATIBLE_BASE_URL: `${this.#model.url}/v1`,
      OPENAI_COMPATIBLE_API_KEY: 'none',
    };
    return new Promise((resolve) => {
      const child = execFile(this.#node, words, { cwd: this.#work, env, timeout: 120_000 }, (error, stdout, stderr) => {
        clearInterval(timer);
        resolve({ code: error === null ? 0 : error.code, stderr: `${stderr}${error === null ? '' : stdout}` });
      });
      const interrupt = async (): Promise<void> => {
        if (signal === undefined || !existsSync(log) || !(await readFile(log, 'utf8')).includes('working')) return;
        clearInterval(timer);
        child.kill(signal);
      };
      const timer = setInterval(() => void interrupt(), 100);
    });
  }
}

function stopped({ frames }: TurnOutcome, wanted: string): Readonly<Record<string, boolean>> {
  return { [`the stop reason is ${frames.stopReason}, not ${wanted}`]: frames.stopReason === wanted };
}

function failed({ code, stderr }: TurnOutcome, checks: Readonly<Record<string, boolean>>): readonly string[] {
  const failures = Object.entries(checks).flatMap(([failure, isFine]) => (isFine ? [] : [failure]));
  return failures.length === 0 ? [] : [...failures, `exit code ${String(code)}: ${stderr.trim().slice(-2_000)}`];
}
