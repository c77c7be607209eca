import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  McpServer,
  PromptResponse,
  RequestPermissionRequest,
  SessionUpdate,
} from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { serveCoder } from '../src/index.ts';
import type { McpLimits } from '../src/config/mcp-limits.ts';
import { calls, finishes, ScriptedModel } from './scripted-model.ts';

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));

/** The sample server as a program of its own. */
export const samplePath: string = bundleProgram(join(fixtures, 'sample-mcp-stdio.mjs'));

/** The sample server as a process. */
export function sample(name = 'sample', env: Readonly<Record<string, string>> = {}): McpServer {
  return program(name, samplePath, { env });
}

/** A server that misbehaves. */
export function hostile(mode: string, env: Readonly<Record<string, string>> = {}): McpServer {
  return program('bad', join(fixtures, 'hostile-mcp.mjs'), { args: [mode, ...Object.keys(env)], env });
}

function program(
  name: string,
  path: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): McpServer {
  const pairs = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
  return { name, command: process.execPath, args: [path, ...args], env: pairs };
}

/** What a session is set up with. */
export interface McpSessionSetup {
  readonly servers?: readonly McpServer[];
  /** The model's answers: a tool call, several, or the end. */
  readonly answers?: readonly (readonly [tool: string, input: unknown])[];
  readonly files?: Readonly<Record<string, string>>;
  readonly limits?: Partial<McpLimits>;
  readonly capabilities?: ClientCapabilities;
  /** The option chosen for a permission. Default `allow_once`. */
  readonly permission?: (request: RequestPermissionRequest) => string | undefined;
  readonly elicit?: (
    request: CreateElicitationRequest,
  ) => CreateElicitationResponse | Promise<CreateElicitationResponse>;
  readonly env?: Readonly<Record<string, string>>;
  readonly waitForMcp?: boolean;
  /** A folder from before: for its state and its files. */
  readonly folder?: string;
}

/** A model that calls one tool an answer, and keeps the tools it was offered. */
class ToolModel extends ScriptedModel {
  readonly offered: (readonly string[])[] = [];

  override doStream(options: LanguageModelV3CallOptions): ReturnType<LanguageModelV3['doStream']> {
    this.offered.push((options.tools ?? []).map(({ name }) => name));
    return super.doStream(options);
  }
}

interface Parts {
  readonly agent: ReturnType<typeof serveCoder>;
  readonly client: ReturnType<typeof connectClient>;
  readonly sessionId: string;
  readonly keepFolder: boolean;
  readonly updates: readonly SessionUpdate[];
  readonly permissions: readonly RequestPermissionRequest[];
}

/** The coder with MCP servers, a model with scripted calls, and a user who agrees. */
export class McpSession implements AsyncDisposable {
  readonly updates: readonly SessionUpdate[];
  readonly permissions: readonly RequestPermissionRequest[];
  readonly folder: string;
  readonly model: ToolModel;
  readonly #parts: Parts;

  private constructor(folder: string, model: ToolModel, parts: Parts) {
    this.updates = parts.updates;
    this.permissions = parts.permissions;
    this.folder = folder;
    this.model = model;
    this.#parts = parts;
  }

  static async open(setup: McpSessionSetup = {}): Promise<McpSession> {
    const folder = setup.folder ?? (await realpath(await mkdtemp(join(tmpdir(), 'coder-mcp-'))));
    for (const [path, content] of Object.entries(setup.files ?? {})) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const model = new ToolModel(
      ...(setup.answers ?? []).map(([tool, input]) => [calls(tool, input), finishes('tool-calls')]),
    );
    const [here, there] = memoryPair();
    const state = join(folder, '.state');
    const agent = serveCoder({
      model,
      mcp: { promptWait: 20_000, connectBudget: 20_000, ...setup.limits },
      waitForMcp: setup.waitForMcp,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        XDG_STATE_HOME: state,
        XDG_CONFIG_HOME: join(folder, '.config'),
        ...setup.env,
      },
      transport: there,
    });
    const updates: SessionUpdate[] = [];
    const permissions: RequestPermissionRequest[] = [];
    const client = connectClient(here, {
      'session/update': ({ update }) => void updates.push(update),
      'session/request_permission': (request) => {
        permissions.push(request);
        const optionId = setup.permission ? setup.permission(request) : 'allow_once';
        return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
      },
      ...(setup.elicit && { 'elicitation/create': setup.elicit }),
    });
    const clientCapabilities = { session: { notices: {} }, ...setup.capabilities };
    await client.request('initialize', { protocolVersion, clientCapabilities });
    const { sessionId } = await client.request('session/new', { cwd: folder, mcpServers: setup.servers ?? [] });
    const keepFolder = setup.folder !== undefined;
    return new McpSession(folder, model, { agent, client, sessionId, keepFolder, updates, permissions });
  }

  /** Resolves with the answer without its usage. */
  async prompt(text = 'go'): Promise<PromptResponse> {
    const { client, sessionId } = this.#parts;
    const { usage: _, ...answer } = (await client.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text }],
    })) as PromptResponse & { readonly usage?: unknown };
    return answer;
  }

  cancel(): Promise<void> {
    const { client, sessionId } = this.#parts;
    return client.notify('session/cancel', { sessionId });
  }

  /** Ends the session as its client would. */
  async close(): Promise<void> {
    const { client, sessionId } = this.#parts;
    await client.request('session/close', { sessionId });
  }

  /** What the agent said, in all. */
  get said(): string {
    return this.updates
      .flatMap((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [update.content.text] : [],
      )
      .join('');
  }

  /** The titles of the notices so far, each with its description. A notice about waiting appears only after a delay. */
  get notices(): readonly string[] {
    return this.#allNotices.filter((notice) => !notice.startsWith('Waiting for MCP servers'));
  }

  /** Whether it said that it waits. */
  get saidThatItWaits(): boolean {
    return this.#allNotices.length > this.notices.length;
  }

  get #allNotices(): readonly string[] {
    return this.updates.flatMap((update) => {
      if (update.sessionUpdate !== 'notice') return [];
      const { title, description } = update as { readonly title: string; readonly description?: string };
      return [description ? `${title}\n${description}` : title];
    });
  }

  /** The results of the tool calls so far, as sent to the model. */
  get results(): readonly unknown[] {
    return (this.model.asked.at(-1)?.prompt ?? []).flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
        : [],
    );
  }

  /** The tools of servers that the model was offered last. */
  get offered(): readonly string[] {
    return (this.model.offered.at(-1) ?? []).filter(
      (name) => name.includes('__') || name.includes('mcp') || name === 'read-resource',
    );
  }

  /** The updates of tool calls, without their ids. */
  get toolUpdates(): readonly object[] {
    return this.updates.flatMap((update) => {
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return [];
      const { toolCallId: _id, ...rest } = update;
      return [rest];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.agent.close();
    if (!this.#parts.keepFolder) await rm(this.folder, { recursive: true, force: true });
  }
}
