import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type {
  McpServer,
  Peer,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
} from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import { bundleProgram } from '../../../tools/bundle-program.mjs';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The user's answer to a permission question. */
export type Decide = (
  request: RequestPermissionRequest,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

const allow: Decide = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } });
export const reject: Decide = () => ({ outcome: { outcome: 'selected', optionId: 'reject_once' } });

/** The coder in a process of its own, with a client at its side. */
export class CoderProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly client: Peer<'client'>;
  readonly #sessions = new Map<string, CoderSession>();

  private constructor(state: string, env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [bundleProgram(main)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Tests neither use nor change the settings of the user who runs them.
      env: {
        ...process.env,
        TURNWIRE_CODER_SESSIONS: '',
        TURNWIRE_CODER_MODEL: 'offline',
        XDG_STATE_HOME: state,
        XDG_CONFIG_HOME: join(state, 'config'),
        XDG_DATA_HOME: join(state, 'data'),
        ...env,
      },
    });
    const { stdin, stdout } = this.child;
    if (!stdin || !stdout) throw new Error('the child has no pipes');
    this.client = connectClient(stdioTransport({ input: stdout, output: stdin }), {
      'session/update': ({ sessionId, update }) => void this.#sessions.get(sessionId)?.updates.push(update),
      'session/request_permission': (request) => this.#session(request.sessionId).decide(request),
    });
  }

  /** @param state the folder of the agent's sessions, with its settings in `config`. Default: a private folder @param env further variables */
  static async start(
    state: string = join(tmpdir(), 'turnwire-tests-nowhere', 'state'),
    env: Readonly<Record<string, string>> = {},
  ): Promise<CoderProcess> {
    const coder = new CoderProcess(state, env);
    await coder.client.request('initialize', { protocolVersion });
    return coder;
  }

  /** Begins a session in a new folder that holds these files, with these MCP servers. */
  async open(
    files: Readonly<Record<string, string>> = {},
    mcpServers: readonly McpServer[] = [],
  ): Promise<CoderSession> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'coder-')));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const { sessionId } = await this.client.request('session/new', { cwd: folder, mcpServers });
    const session = new CoderSession(this.client, sessionId, folder);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Continues with a session another process began. */
  async load({ id, folder }: CoderSession): Promise<CoderSession> {
    const session = new CoderSession(this.client, id, folder);
    this.#sessions.set(id, session);
    await this.client.request('session/load', { sessionId: id, cwd: folder, mcpServers: [] });
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const isRunning = this.child.exitCode === null && this.child.signalCode === null;
    const exited = isRunning ? once(this.child, 'exit') : undefined;
    await this.client.close();
    await exited;
    for (const { folder } of this.#sessions.values()) await rm(folder, { recursive: true, force: true });
  }

  #session(id: string): CoderSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new Error(`no session ${id}`);
    return session;
  }
}

/** What a turn came to, with ids numbered in order of appearance and the folder called `/folder`. */
export interface TurnRecord {
  readonly stopReason: StopReason;
  readonly updates: readonly SessionUpdate[];
  /** All the agent said. */
  readonly said: string;
}

export class CoderSession {
  readonly id: string;
  readonly folder: string;
  readonly updates: SessionUpdate[] = [];
  decide: Decide = allow;
  readonly #client: Peer<'client'>;

  constructor(client: Peer<'client'>, id: string, folder: string) {
    this.#client = client;
    this.id = id;
    this.folder = folder;
  }

  async prompt(text: string): Promise<TurnRecord> {
    const start = this.updates.length;
    const { stopReason } = await this.#client.request('session/prompt', {
      sessionId: this.id,
      prompt: [{ type: 'text', text }],
    });
    // Titles and commands do not belong to turns.
    const heard = this.updates.slice(start).filter(({ sessionUpdate }) => !besides.has(sessionUpdate));
    const updates = this.#tidy(heard);
    return { stopReason, updates, said: updates.map(textSaid).join('') };
  }

  async cancel(): Promise<void> {
    await this.#client.notify('session/cancel', { sessionId: this.id });
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  write(path: string, content: string): Promise<void> {
    return writeFile(join(this.folder, path), content);
  }

  async files(): Promise<readonly string[]> {
    return (await readdir(this.folder, { recursive: true })).toSorted();
  }

  #tidy(updates: readonly SessionUpdate[]): readonly SessionUpdate[] {
    const ids: string[] = [];
    const number = (id: string): string => {
      if (!ids.includes(id)) ids.push(id);
      return `id-${ids.indexOf(id) + 1}`;
    };
    const text = JSON.stringify(updates)
      .replaceAll(this.folder, '/folder')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, number);
    return JSON.parse(text) as readonly SessionUpdate[];
  }
}

const besides: ReadonlySet<string> = new Set(['session_info_update', 'available_commands_update']);

function textSaid(update: SessionUpdate): string {
  const isText = update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text';
  return isText ? update.content.text : '';
}

/** Waits for a condition to hold, looking again every few milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
