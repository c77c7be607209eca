import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveAgent } from '@turnwire/agent/node';
import type { Turn } from '@turnwire/agent';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type { ClientCapabilities, SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { BackgroundCommands } from '../src/process/background-commands.ts';
import { toolbox } from '../src/tools/toolbox.ts';
import type { PreparedCall, Tool, ToolContext, ToolResult } from '../src/tools/tool.ts';
import { TurnFiles } from '../src/undo/turn-files.ts';
import { SessionFiles } from '../src/workspace/session-files.ts';
import { Workspace } from '../src/workspace/workspace.ts';

/** The services of a fixture's client, and the user's settings. */
export interface FixtureClient {
  readonly capabilities?: ClientCapabilities;
  readonly handlers?: Parameters<typeof connectClient>[1];
  readonly settings?: ToolContext['settings'];
}

/** Tools at work in a folder of their own: each call is a turn of a real agent with a real client, without model and permission. */
export class ToolFixture implements AsyncDisposable {
  readonly folder: string;
  /** The updates sent to the client. */
  readonly updates: SessionUpdate[] = [];
  readonly files = new SessionFiles();
  readonly turnFiles: TurnFiles;
  readonly background = new BackgroundCommands();
  /** Reasons why files may not be read, by path. */
  readonly forbidden = new Map<string, string>();
  readonly #workspace: Workspace;
  readonly #client: FixtureClient;

  private constructor(workspace: Workspace, client: FixtureClient) {
    this.folder = workspace.cwd;
    this.turnFiles = new TurnFiles({ sessionId: 's', roots: workspace.roots, records: undefined });
    this.#workspace = workspace;
    this.#client = client;
  }

  static async open(client: FixtureClient = {}): Promise<ToolFixture> {
    return new ToolFixture(await Workspace.open(await mkdtemp(join(tmpdir(), 'tools-'))), client);
  }

  /** Prepares and runs one call. Rejects with what the tool throws. */
  async use(tool: string | Tool, input: object): Promise<ToolResult> {
    let outcome: Promise<ToolResult> | undefined;
    await this.#inTurn((turn) => {
      outcome = this.#run(turn, tool, input);
      return outcome;
    });
    if (!outcome) throw new Error('the turn did not run');
    return outcome;
  }

  /** Prepares one call and does not run it. */
  async prepare(tool: string | Tool, input: object): Promise<PreparedCall> {
    let prepared: Promise<PreparedCall> | undefined;
    await this.#inTurn((turn) => {
      prepared = this.#prepare(turn, tool, input);
      return prepared;
    });
    if (!prepared) throw new Error('the turn did not run');
    return prepared;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.background.stopAll();
    await this.turnFiles.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #prepare(turn: Turn, tool: string | Tool, input: object): Promise<PreparedCall> {
    const found = typeof tool === 'string' ? toolbox.get(tool) : tool;
    if (!found) throw new Error('there is no such tool');
    const { files, turnFiles, background } = this;
    const permissions = { forbidsReading: (path: string) => this.forbidden.get(path) };
    const { settings } = this.#client;
    const own = { workspace: this.#workspace, files, turnFiles, background, permissions, settings };
    return found.prepare(input, { ...own, turn, signal: turn.signal });
  }

  async #run(turn: Turn, tool: string | Tool, input: object): Promise<ToolResult> {
    const prepared = await this.#prepare(turn, tool, input);
    const report = turn.tool({ title: prepared.title });
    await report.start();
    return prepared.run(report);
  }

  async #inTurn(work: (turn: Turn) => Promise<unknown>): Promise<void> {
    const [here, there] = memoryPair();
    await using _agent = serveAgent(
      { info: { name: 'tools', version: '1' }, prompt: async (turn) => void (await work(turn).catch(() => undefined)) },
      { transport: there },
    );
    const { capabilities = {}, handlers } = this.#client;
    const client = connectClient(here, {
      'session/update': ({ update }) => void this.updates.push(update),
      ...handlers,
    });
    await client.request('initialize', { protocolVersion, clientCapabilities: capabilities });
    const { sessionId } = await client.request('session/new', { cwd: this.folder, mcpServers: [] });
    await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  }
}
