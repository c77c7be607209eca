import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Agent,
  type AgentOptions,
  approveAll,
  attachAgent,
  type PermissionPolicy,
  type Session,
} from '@turnwire/client';
import { launchAgent, type LaunchOptions } from '@turnwire/client/node';
import { ProtocolError } from '@turnwire/protocol';
import type { SessionUpdate, ToolCallUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { serveCoder } from '../../src/index.ts';

type Variables = Readonly<Record<string, string>>;

/** What is in a home before its agent starts. */
export interface HomeContents {
  /** Of the project, by path. */
  readonly files?: Variables;
  /** What `coder.json` says. */
  readonly settings?: object;
  readonly env?: Variables;
}

const program = fileURLToPath(new URL('../../../cli/test/fixtures/turnwire.ts', import.meta.url));

/** The words of `turnwire coder`. */
export const coderCommand: readonly string[] = [process.execPath, bundleProgram(program), 'coder'];

/** The folders of a user with only the settings of the test, and a project. */
export class CoderHome implements AsyncDisposable {
  readonly folder: string;
  readonly work: string;
  readonly env: Variables;
  /** What the client offers the agent. */
  client: Pick<LaunchOptions, 'host' | 'hostGate'> = {};

  private constructor(folder: string, env: Variables) {
    this.folder = folder;
    this.work = join(folder, 'work');
    this.env = {
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_STATE_HOME: join(folder, 'state'),
      TURNWIRE_CODER_MODEL: 'offline',
      OLLAMA_HOST: 'http://127.0.0.1:9',
      LMSTUDIO_BASE_URL: 'http://127.0.0.1:9',
      ...env,
    };
  }

  static async open({ files = {}, settings = {}, env = {} }: HomeContents = {}): Promise<CoderHome> {
    const home = new CoderHome(await realpath(await mkdtemp(join(tmpdir(), 'coder-home-'))), env);
    await mkdir(home.work);
    for (const [path, text] of Object.entries(files)) await home.put(join('work', path), text);
    await home.put('config/turnwire/coder.json', JSON.stringify(settings));
    return home;
  }

  async put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), text);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.work, path), 'utf8');
  }

  /** What is in the project. */
  async files(): Promise<readonly string[]> {
    return (await readdir(this.work)).toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** How a turn ended: with a reason, or with an error. */
export type TurnEnd =
  | { readonly stopReason: string }
  | { readonly code: number; readonly message: string; readonly data: unknown };

/** The agent in a separate process, one session with it, and its user. */
export class CoderAtWork implements AsyncDisposable {
  readonly agent: Agent;
  readonly session: Session;
  readonly updates: SessionUpdate[];
  readonly user: User;
  /** Resolves when the agent has ended; a process has, once its connection is closed. */
  #gone: Promise<unknown> = Promise.resolve();

  private constructor({ agent, session, updates, user }: Pick<CoderAtWork, 'agent' | 'session' | 'updates' | 'user'>) {
    this.agent = agent;
    this.session = session;
    this.updates = updates;
    this.user = user;
  }

  /**
   * @param more variables of this process alone
   * @param id the session to load; without it a new one begins
   */
  static async start(home: CoderHome, more: Variables = {}, id?: string): Promise<CoderAtWork> {
    const env = { ...home.env, ...more };
    return this.#begin(home, id, (options) => launchAgent(coderCommand, { ...options, env }));
  }

  /** The same with the agent in this process, for tests that only need another instance. */
  static async startHere(home: CoderHome, more: Variables = {}, id?: string): Promise<CoderAtWork> {
    const env = { ...home.env, ...more };
    const sessions = join(home.folder, 'state', 'turnwire', 'coder', 'sessions');
    const [client, transport] = memoryPair();
    const { closed } = serveCoder({ env, sessions, transport });
    const coder = await this.#begin(home, id, (options) => attachAgent(client, options));
    coder.#gone = closed;
    return coder;
  }

  static async #begin(
    home: CoderHome,
    id: string | undefined,
    open: (options: AgentOptions) => Promise<Agent>,
  ): Promise<CoderAtWork> {
    const user: User = { asked: [], decide: approveAll };
    const permission: PermissionPolicy = (request, context) => {
      user.asked.push(request.toolCall.title ?? '');
      return user.decide(request, context);
    };
    const agent = await open({ ...home.client, permission });
    const updates: SessionUpdate[] = [];
    const setup = { cwd: home.work, onUpdate: (update: SessionUpdate): void => void updates.push(update) };
    const session = await (id === undefined
      ? agent.newSession(setup)
      : agent.loadSession?.({ ...setup, sessionId: id }));
    if (session === undefined) throw new Error('the agent loads no sessions');
    return new CoderAtWork({ agent, session, updates, user });
  }

  /** A turn to its end, whichever it is. */
  async prompt(text: string): Promise<TurnEnd> {
    try {
      const { stopReason } = await this.session.prompt(text);
      return { stopReason };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { code: error.code, message: error.message, data: error.data };
    }
  }

  /** All the agent said. */
  get said(): string {
    return this.updates
      .map((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
      )
      .join('');
  }

  /** The tool calls that were reported: see {@link callsIn}. */
  get calls(): readonly string[] {
    return callsIn(this.updates);
  }

  async close(): Promise<void> {
    await this.agent.close();
    await this.#gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Who sits before the client. */
export interface User {
  /** The titles of their questions. */
  readonly asked: string[];
  decide: PermissionPolicy;
}

/** The latest state of a session's tool calls: name and status. */
export function callsIn(updates: readonly SessionUpdate[]): readonly string[] {
  const calls = new Map<string, { name: string; status: string }>();
  for (const update of updates) {
    if (update.sessionUpdate === 'tool_call')
      calls.set(update.toolCallId, { name: update.name ?? '', status: update.status ?? 'pending' });
    const known = update.sessionUpdate === 'tool_call_update' ? calls.get(update.toolCallId) : undefined;
    const status = (update as ToolCallUpdate).status ?? known?.status;
    if (known && status) known.status = status;
  }
  return [...calls.values()].map(({ name, status }) => `${name} ${status}`);
}

/** The variables that make a server the model. */
export function modelAt({ url }: { readonly url: string }): Variables {
  return { TURNWIRE_CODER_MODEL: 'openai-compatible/m', OPENAI_COMPATIBLE_BASE_URL: url };
}
