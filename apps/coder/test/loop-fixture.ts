import { mkdtemp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serveAgent } from '@turnwire/agent/node';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type {
  ClientCapabilities,
  ContentBlock,
  Peer,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionConfigOption,
  SessionUpdate,
} from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { coderAgent } from '../src/coder-agent.ts';
import type { CoderOptions } from '../src/index.ts';
import type { ChosenModel } from '../src/model/model.ts';
import type { ScriptedModel } from './scripted-model.ts';

/** How a fixture is set up. */
export interface LoopFixtureSetup {
  readonly model: ScriptedModel;
  /** What is known of the model. */
  readonly chosen?: Partial<ChosenModel>;
  /** Files in the session's folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Omit<CoderOptions, 'model'>;
  readonly capabilities?: ClientCapabilities;
  /** Sessions are stored, so that the fixture can be reloaded. */
  readonly keeps?: boolean;
  /** Where in its folder the session works. */
  readonly within?: string;
}

type Decide = (request: RequestPermissionRequest) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

const allow: Decide = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } });

/** The coder in memory with a scripted model, which has more known facts than a passed one; every frame it sends is checked. */
export class LoopFixture implements AsyncDisposable {
  readonly model: ScriptedModel;
  readonly folder: string;
  readonly updates: SessionUpdate[] = [];
  /** The tokens of the last turn, as its answer has them. */
  usage: unknown;
  /** Rules of the protocol the agent broke. */
  readonly violations: string[] = [];
  options: readonly SessionConfigOption[] = [];
  decide: Decide = allow;
  onUpdate: (update: SessionUpdate) => void = () => undefined;
  readonly #setup: LoopFixtureSetup;
  #client: Peer<'client'> | undefined;
  #close: () => Promise<void> = async () => undefined;
  #sessionId = '';

  private constructor(setup: LoopFixtureSetup, folder: string) {
    this.#setup = setup;
    this.model = setup.model;
    this.folder = folder;
  }

  static async open(setup: LoopFixtureSetup): Promise<LoopFixture> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'loop-')));
    const fixture = new LoopFixture(setup, folder);
    await mkdir(fixture.cwd, { recursive: true });
    for (const [path, content] of Object.entries(setup.files ?? {})) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const client = await fixture.#connect();
    const { sessionId, configOptions } = await client.request('session/new', { cwd: fixture.cwd, mcpServers: [] });
    fixture.#sessionId = sessionId;
    fixture.options = configOptions ?? [];
    return fixture;
  }

  get cwd(): string {
    return join(this.folder, this.#setup.within ?? '');
  }

  /** Another agent continues with the session; this one is gone. */
  async reload(): Promise<readonly SessionUpdate[]> {
    await this.#close();
    const before = this.updates.length;
    const client = await this.#connect();
    await client.request('session/load', { sessionId: this.#sessionId, cwd: this.cwd, mcpServers: [] });
    return this.updates.slice(before);
  }

  /** Resolves with the answer without its usage, which is in {@link usage}. */
  async prompt(prompt: string | readonly ContentBlock[]): Promise<PromptResponse> {
    const blocks: readonly ContentBlock[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    const { usage, ...answer } = (await this.#peer().request('session/prompt', {
      sessionId: this.#sessionId,
      prompt: blocks,
    })) as PromptResponse & { readonly usage?: unknown };
    this.usage = usage;
    return answer;
  }

  cancel(): Promise<void> {
    return this.#peer().notify('session/cancel', { sessionId: this.#sessionId });
  }

  async set(configId: string, value: string): Promise<void> {
    await this.#peer().request('session/set_config_option', { sessionId: this.#sessionId, configId, value });
  }

  /** All messages of the agent, notices included. */
  get said(): string {
    return this.updates
      .map((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
      )
      .join('');
  }

  /** What was said of tool calls, without their ids. */
  get calls(): readonly Readonly<Record<string, unknown>>[] {
    return this.updates.flatMap((update) => {
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return [];
      const { sessionUpdate: _, toolCallId: __, ...rest } = update;
      return [rest];
    });
  }

  /** The last request to the model, without the system prompt. */
  get conversation(): LanguageModelV3Prompt {
    return this.model.asked.at(-1)?.prompt.slice(1) ?? [];
  }

  /** The system prompt of the last request. */
  get system(): string {
    const first = this.model.asked.at(-1)?.prompt[0];
    return first?.role === 'system' ? first.content : '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #peer(): Peer<'client'> {
    if (!this.#client) throw new Error('the fixture is not open');
    return this.#client;
  }

  async #connect(): Promise<Peer<'client'>> {
    const [here, there] = memoryPair();
    const agent = serveAgent(this.#definition(), {
      transport: there,
      selfCheck: (violation) => void this.violations.push(violation),
    });
    this.#close = () => agent.close();
    this.#client = connectClient(here, {
      'session/update': ({ update }) => {
        this.updates.push(update);
        this.onUpdate(update);
      },
      'session/request_permission': (request) => this.decide(request),
    });
    await this.#client.request('initialize', {
      protocolVersion,
      clientCapabilities: this.#setup.capabilities ?? {},
    });
    return this.#client;
  }

  #definition(): ReturnType<typeof coderAgent> {
    const env = { XDG_CONFIG_HOME: join(this.folder, '.config'), XDG_STATE_HOME: join(this.folder, '.state') };
    const { model, options, chosen, keeps } = this.#setup;
    const definition = coderAgent({ env, ...options, model, sessions: keeps && join(this.folder, '.sessions') });
    const { openSession } = definition;
    if (!openSession) throw new Error('the coder opens no sessions');
    const takes = { image: true, audio: true, pdf: true };
    return {
      ...definition,
      openSession: async (setup, signal) => ({
        ...(await openSession(setup, signal)),
        models: {
          options: () => [],
          refresh: async () => false,
          open: async () => ({ id: 'test/scripted', model, takes, ...chosen }),
        },
      }),
    };
  }
}

/** What is wrong with a conversation: a call without a result right after it, a result without its call. */
export function brokenPairs(prompt: LanguageModelV3Prompt): readonly string[] {
  return prompt.flatMap((message, index) => {
    const calls = message.role === 'assistant' ? idsOf(message.content, 'tool-call') : [];
    const next = prompt[index + 1];
    const results = next?.role === 'tool' ? idsOf(next.content, 'tool-result') : [];
    const isPaired = JSON.stringify(calls) === JSON.stringify(results) && new Set(calls).size === calls.length;
    const isExpected = message.role !== 'assistant' && next?.role === 'tool' ? false : isPaired;
    return isExpected ? [] : [`${index}: ${calls.join()} got ${results.join()}`];
  });
}

function idsOf(content: readonly { readonly type: string }[], type: string): readonly string[] {
  return content
    .filter((part) => part.type === type)
    .map((part) => (part as unknown as { toolCallId: string }).toolCallId);
}
