import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { memoryStore } from '@turnwire/agent';
import { serveAgent } from '@turnwire/agent/node';
import { connectClient, invalidParams, protocolVersion } from '@turnwire/protocol';
import type { Peer, RequestPermissionRequest, RequestPermissionResponse, SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { ModelCatalog } from '../src/model/model-catalog.ts';
import { modelChoice } from '../src/model/model-choice.ts';
import { modes } from '../src/modes/modes.ts';
import { admit } from '../src/permission/admit.ts';
import type { Admission } from '../src/tools/admission.ts';
import { SessionPermissions } from '../src/permission/session-permissions.ts';
import type { CoderTurn, SessionMemory } from '../src/session/session-memory.ts';
import type { CallFacts, Tool, ToolEffect } from '../src/tools/tool.ts';

/** A call to decide on: the tool's properties and the facts of the call. */
export interface AskedCall {
  readonly name: string;
  readonly kind: Tool['kind'];
  readonly effect: ToolEffect;
  readonly facts?: CallFacts;
}

/** Rules by the file they are in. */
export interface FixtureRules {
  readonly project?: object | string;
  readonly user?: object | string;
}

type User = (request: RequestPermissionRequest) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

/** Chooses an option by its id. */
export function chooses(optionId: string): User {
  return () => ({ outcome: { outcome: 'selected', optionId } });
}

/** An agent that only decides: a real session with a real client, in a folder of its own, and no tool that does anything. */
export class PermissionFixture implements AsyncDisposable {
  /** The session's working directory. */
  readonly folder: string;
  /** The rule files of the project and the user, and the file of accepted rules. */
  readonly files: { readonly project: string; readonly user: string; readonly accepted: string };
  /** The questions to the user: the names of their options. */
  readonly asked: (readonly string[])[] = [];
  readonly updates: SessionUpdate[] = [];
  user: User = chooses('reject_once');
  models: ModelCatalog = oneModel;
  readonly #outside: string;
  readonly #store = memoryStore();
  readonly #work: ((turn: CoderTurn) => Promise<void>)[] = [];
  #client: Peer<'client'> | undefined;
  #agent: AsyncDisposable | undefined;
  #sessionId = '';

  private constructor(outside: string) {
    this.#outside = outside;
    this.folder = join(outside, 'folder');
    this.files = {
      project: join(this.folder, '.turnwire', 'permissions.json'),
      user: join(outside, 'config', 'turnwire', 'permissions.json'),
      accepted: join(outside, 'state', 'turnwire', 'accepted-rules.json'),
    };
  }

  static async open(rules: FixtureRules = {}): Promise<PermissionFixture> {
    const fixture = new PermissionFixture(await realpath(await mkdtemp(join(tmpdir(), 'permission-fixture-'))));
    await mkdir(fixture.folder);
    for (const place of ['project', 'user'] as const) if (rules[place]) await fixture.write(place, rules[place]);
    await fixture.#connect();
    const { sessionId } = await fixture.client.request('session/new', { cwd: fixture.folder, mcpServers: [] });
    fixture.#sessionId = sessionId;
    return fixture;
  }

  get client(): Peer<'client'> {
    if (!this.#client) throw new Error('the fixture is not open');
    return this.#client;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** Continues in another session. */
  enter(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  /** Writes a rule file, as another program would. */
  async write(place: 'project' | 'user' | 'accepted', content: object | string): Promise<void> {
    await mkdir(dirname(this.files[place]), { recursive: true });
    await writeFile(this.files[place], typeof content === 'string' ? content : JSON.stringify(content));
  }

  async setMode(modeId: string): Promise<void> {
    await this.client.request('session/set_mode', { sessionId: this.#sessionId, modeId });
  }

  /** Has a turn of its own do something. */
  async inTurn<Value>(work: (turn: CoderTurn) => Promise<Value>, text = 'go'): Promise<Value> {
    const { promise, resolve, reject } = later<Value>();
    this.#work.push((turn) => work(turn).then(resolve, reject));
    await this.client.request('session/prompt', { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] });
    return promise;
  }

  /** Decides on one call. */
  async admit(call: AskedCall): Promise<Admission> {
    return this.inTurn((turn) => admitted(turn, call));
  }

  /** The outcome of a call as text: whether the user was asked, and how it ended. */
  async story(call: AskedCall): Promise<string> {
    const before = this.asked.length;
    const admission = await this.admit(call);
    const ending = admission.outcome === 'refused' ? admission.reason : `${admission.outcome}.`;
    return this.tidy(`${this.asked.length > before ? 'asked, ' : ''}${ending}`);
  }

  /** Restarts the agent, as another process would, and loads the session. */
  async reload(): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]();
    await this.#connect();
    await this.client.request('session/load', { sessionId: this.#sessionId, cwd: this.folder, mcpServers: [] });
  }

  /** What the agent said. */
  get said(): readonly string[] {
    return this.updates.flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? [this.tidy(update.content.text)]
        : [],
    );
  }

  tidy(text: string): string {
    return text.replaceAll(this.#outside, '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]();
    await rm(this.#outside, { recursive: true, force: true });
  }

  async #connect(): Promise<void> {
    const [here, there] = memoryPair();
    const env = { XDG_CONFIG_HOME: join(this.#outside, 'config'), XDG_STATE_HOME: join(this.#outside, 'state') };
    this.#agent = serveAgent<SessionMemory>(
      {
        info: { name: 'decides', version: '1' },
        modes,
        configOptions: (session) => session.memory.models.options(modelChoice(session)),
        store: this.#store,
        openSession: async ({ id, cwd, restored }) => {
          const permissions = await SessionPermissions.open({
            sessionId: id,
            cwd,
            roots: [cwd],
            kept: restored?.kept,
            env,
          });
          const mcp = { commands: [] as const };
          return { permissions, models: this.models, mcp, promptFiles: [] } as unknown as SessionMemory;
        },
        prompt: async (turn) => this.#work.shift()?.(turn),
      },
      { transport: there },
    );
    this.#client = connectClient(here, {
      'session/update': ({ update }) => void this.updates.push(update),
      'session/request_permission': (request) => {
        this.asked.push(request.options.map(({ name }) => name));
        return this.user(request);
      },
    });
    await this.client.request('initialize', { protocolVersion });
  }
}

const oneModel: ModelCatalog = {
  options: () => [],
  refresh: () => Promise.resolve(false),
  offer: () => Promise.reject(invalidParams('There is one model.')),
  open: () => Promise.reject(new Error('no model answers here')),
};

/** Decides on a call in a turn. */
export function admitted(turn: CoderTurn, { facts = {}, ...tool }: AskedCall): Promise<Admission> {
  const run = (): Promise<never> => Promise.reject(new Error('nothing runs here'));
  const prepared = { title: tool.name, facts, run };
  const report = turn.tool({ title: tool.name, name: tool.name, kind: tool.kind });
  return admit(turn, { tool: { ...tool, description: '', inputSchema: {}, prepare: run }, prepared, report });
}

function later<Value>(): {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: Error) => void;
} {
  let settle: { resolve: (value: Value) => void; reject: (reason: Error) => void } | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value) => settle?.resolve(value), reject: (reason) => settle?.reject(reason) };
}
