import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import type { Line, LineReceiver } from '../../src/wire/line.ts';
import { asMessage, at, objectsIn, type RawMessage } from '../../src/wire/messages.ts';
import { WireError } from '../../src/wire/wire.ts';

interface Kept {
  readonly id: string;
  readonly cwd: string;
  words: readonly string[];
  title: string | undefined;
  archived: boolean;
}

/** An agent with the unstable methods. It says words, repeats them, runs commands and plans, and keeps its sessions while the kit runs. */
export function unstableAgent(): AgentSubject {
  const kept = new Map<string, Kept>();
  return { name: 'unstable', open: () => Promise.resolve(new Connection(kept).line) };
}

class Connection {
  readonly line: Line;
  readonly #kept: Map<string, Kept>;
  /** The open sessions, with a function that cancels the turn of each. */
  readonly #open = new Map<string, { readonly cancel?: () => void }>();
  readonly #answers = new Map<unknown, (message: RawMessage) => void>();
  readonly #providers: { providerId: string; supported: string[]; required: boolean; current: RawMessage | null }[] = [
    {
      providerId: 'main',
      supported: ['openai'],
      required: true,
      current: { apiType: 'openai', baseUrl: 'http://main' },
    },
    { providerId: 'spare', supported: ['anthropic', 'openai'], required: false, current: null },
  ];
  #receiver: LineReceiver | undefined;
  #client: RawMessage = {};

  constructor(kept: Map<string, Kept>) {
    this.#kept = kept;
    this.line = {
      start: (receiver) => void (this.#receiver = receiver),
      send: (text) => void setImmediate(() => void this.#hear(JSON.parse(text) as RawMessage)),
      close: async () => {
        for (const id of this.#open.keys()) this.#close(id);
      },
    };
  }

  #say(message: RawMessage): void {
    this.#receiver?.text(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  async #hear(message: RawMessage): Promise<void> {
    const { id, method } = message;
    const params = asMessage(message['params']) ?? {};
    if (typeof method !== 'string') return this.#answers.get(id)?.(message);
    if (method === 'session/cancel') return this.#open.get(String(params['sessionId']))?.cancel?.();
    if (id === undefined) return;
    try {
      this.#say({ id, result: (await this.#answer(method, params)) ?? {} });
    } catch (error) {
      const { code, message: text } = error as WireError;
      this.#say({ id, error: { code, message: text } });
    }
  }

  #answer(method: string, params: RawMessage): unknown {
    if (method === 'initialize') {
      this.#client = asMessage(params['clientCapabilities']) ?? {};
      return introduction;
    }
    if (method === 'auth/status') return { state: 'not_required' };
    if (method === 'session/new') return this.#begin(params);
    if (method === 'session/list') return this.#list(params);
    if (method.startsWith('providers/')) return this.#provide(method, params);
    const session = this.#kept.get(String(params['sessionId']));
    if (session === undefined) throw new WireError(-32_002, 'there is no such session');
    return this.#inSession(method, session, params);
  }

  #provide(method: string, { providerId, apiType, baseUrl }: RawMessage): unknown {
    if (method === 'providers/list') return { providers: this.#providers };
    const known = this.#providers.find((each) => each.providerId === providerId);
    if (method === 'providers/disable') {
      if (known?.required === true) throw new WireError(-32_602, 'this one is needed');
      if (known !== undefined) known.current = null;
      return {};
    }
    if (known === undefined) throw new WireError(-32_602, 'there is no such provider');
    known.current = { apiType, baseUrl };
    return {};
  }

  #inSession(method: string, session: Kept, params: RawMessage): unknown {
    const isOpen = this.#open.has(session.id);
    switch (method) {
      case 'session/fork':
        return this.#begin(params, session.words);
      case 'session/archive':
        this.#close(session.id);
        return void (session.archived = true);
      case 'session/unarchive':
        return void (session.archived = false);
      case 'session/status':
        return { status: isOpen ? 'open' : 'saved' };
      case 'session/set_title':
        if (params['title'] === '') throw new WireError(-32_602, 'a title has letters');
        session.title = String(params['title']);
        return { title: session.title };
      case 'session/prompt':
        if (!isOpen) throw new WireError(-32_602, 'the session is not open');
        return this.#prompt(session, String(at(params, 'prompt', 0, 'text')));
      default:
        throw new WireError(-32_601, `${method} is not there`);
    }
  }

  #begin({ cwd, mcpServers, systemPrompt }: RawMessage, words: readonly string[] = []): RawMessage {
    const mode = at(systemPrompt, 'mode') ?? 'append';
    if (mode !== 'append') throw new WireError(-32_602, 'the system prompt is only added to');
    const session: Kept = { id: randomUUID(), cwd: String(cwd), words, title: undefined, archived: false };
    this.#kept.set(session.id, session);
    this.#open.set(session.id, {});
    for (const { serverId } of objectsIn(mcpServers))
      if (serverId !== undefined) this.#ask('mcp/message', { serverId, requestId: '1', method: 'initialize' });
    return { sessionId: session.id };
  }

  #ask(method: string, params: RawMessage): void {
    const id = randomUUID();
    this.#answers.set(id, () => this.#answers.delete(id));
    this.#say({ id, method, params });
  }

  #list({ cwd, archived = 'exclude' }: RawMessage): RawMessage {
    const wanted = { exclude: [false], only: [true], include: [false, true] }[String(archived)];
    if (wanted === undefined) throw new WireError(-32_602, 'there is no such filter');
    const listed = [...this.#kept.values()].filter((each) => each.cwd === cwd && wanted.includes(each.archived));
    return { sessions: listed.map(({ id: sessionId, words: _words, ...each }) => ({ sessionId, ...each })) };
  }

  #close(id: string): void {
    this.#open.get(id)?.cancel?.();
    this.#open.delete(id);
  }

  async #prompt(session: Kept, text: string): Promise<RawMessage> {
    const [, said] = /^say "(.*)"/.exec(text) ?? [];
    const [, command] = /^run (.*)/.exec(text) ?? [];
    if (said !== undefined) session.words = [...session.words, said];
    if (said !== undefined || text === 'again')
      this.#update(session.id, {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: session.words.at(-1) ?? '' },
      });
    if (text.startsWith('plan') && asMessage(this.#client['plan']) !== undefined)
      this.#update(session.id, { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'one', entries: [] } });
    const isCancelled = command !== undefined && (await this.#run(session, command));
    return { stopReason: isCancelled ? 'cancelled' : 'end_turn' };
  }

  /** Resolves with whether the turn was cancelled. */
  #run({ id, cwd }: Kept, command: string): Promise<boolean> {
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd, stdio: 'ignore' });
    return new Promise((resolve) => {
      this.#open.set(id, {
        cancel: () => {
          child.kill('SIGKILL');
          resolve(true);
        },
      });
      child.once('exit', () => resolve(false));
    });
  }

  #update(sessionId: string, update: RawMessage): void {
    this.#say({ method: 'session/update', params: { sessionId, update } });
  }
}

const introduction = {
  protocolVersion: 1,
  agentInfo: { name: 'unstable', version: '1.0.0' },
  agentCapabilities: {
    loadSession: false,
    promptCapabilities: {},
    mcpCapabilities: { acp: true },
    auth: { status: {} },
    providers: {},
    sessionCapabilities: { list: {}, fork: {}, archive: {}, status: {}, title: {}, systemPrompt: {} },
  },
};
