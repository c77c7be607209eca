import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { AgentSubject } from '../../src/agent/agent-subject.ts';
import type { Line, LineReceiver } from '../../src/wire/line.ts';
import { asMessage, at, objectsIn, parsed, type RawMessage } from '../../src/wire/messages.ts';

/** An error answer to a request. */
class Refusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A session without its connection. */
interface Stored {
  readonly id: string;
  readonly cwd: string;
  readonly history: RawMessage[];
  readonly keys: Map<unknown, string>;
  size: unknown;
  /** The last message of the agent. */
  said: string;
}

interface Prompt {
  readonly id: unknown;
  readonly text: string;
  readonly key: unknown;
}

/** A session that is open on a connection. */
class OpenSession {
  readonly held: Prompt[] = [];
  work: AbortController | undefined;
  /** The running commands by tool call. */
  readonly commands = new Map<unknown, ChildProcess>();
  done: Promise<void> = Promise.resolve();
  readonly stored: Stored;

  constructor(stored: Stored) {
    this.stored = stored;
  }
}

/**
 * A conforming agent of version 2 that shares no code with the kit's peers and with our libraries. It obeys the kit's prompts without a
 * model. Sessions survive their connection.
 */
export function rawAgent(): AgentSubject {
  const stored = new Map<string, Stored>();
  return { name: 'raw', open: () => Promise.resolve(new Connection(stored).line) };
}

const requestedFields = { session: { prompt: { image: {} }, delete: {}, additionalDirectories: {} } };
const prompts =
  /^(?:say "(?<say>[^]*)"|create (?<create>\S+) with "(?<text>[^]*)"|read (?<read>\S+)|run (?<run>[^]+)|ask "(?<ask>[^"]*)" choices: (?<choices>.*)|(?<again>again)|(?<delegate>delegate) .*|(?<help>\/help))/;

class Connection {
  readonly line: Line;
  readonly #stored: Map<string, Stored>;
  readonly #open = new Map<string, OpenSession>();
  readonly #children = new Set<string>();
  readonly #asked = new Map<string, (answer: RawMessage) => void>();
  #receiver: LineReceiver | undefined;
  #client: RawMessage | undefined;
  #isUsed = false;
  #nextId = 0;

  constructor(stored: Map<string, Stored>) {
    this.#stored = stored;
    this.line = {
      start: (receiver) => void (this.#receiver = receiver),
      send: (text) => void setImmediate(() => this.#take(text)),
      close: async () => {
        const open = [...this.#open.values()];
        for (const session of open) this.#stop(session);
        // Nothing answers the open requests any more.
        for (const answer of this.#asked.values()) answer({});
        await Promise.all(open.map(({ done }) => done));
        this.#receiver = undefined;
      },
    };
  }

  #send(message: RawMessage): void {
    this.#receiver?.text(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  #refuse(id: unknown, { code, message, data }: { code: number; message: string; data?: unknown }): void {
    this.#send({ id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  #update(sessionId: string, update: RawMessage, isKept = true): void {
    this.#send({ method: 'session/update', params: { sessionId, update } });
    if (isKept) this.#stored.get(sessionId)?.history.push(update);
  }

  #state(sessionId: string, state: string, more: RawMessage = {}): void {
    this.#update(sessionId, { sessionUpdate: 'state_update', state, ...more }, false);
  }

  #take(text: string): void {
    const value = parsed(text);
    const message = asMessage(value);
    if (value === undefined) return this.#refuse(null, { code: -32_700, message: 'Parse error' });
    if (message === undefined) return this.#refuse(null, { code: -32_600, message: 'Not a message' });
    const { id, method, params } = message;
    if (method === undefined && 'id' in message) return void this.#asked.get(JSON.stringify(id))?.(message);
    const isId = typeof id === 'string' || Number.isInteger(id);
    if (typeof method !== 'string' || ('id' in message && !isId))
      return this.#refuse(isId ? id : null, { code: -32_600, message: 'Not a request' });
    const fields = asMessage(params) ?? {};
    if (!('id' in message)) return this.#notified(method, fields);
    try {
      const result = this.#answer(method, fields, id);
      if (result instanceof Promise) void result.then((late) => this.#send({ id, result: late }));
      else if (result !== undefined) this.#send({ id, result });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refuse(id, error);
    }
  }

  #notified(method: string, params: RawMessage): void {
    const session = this.#open.get(String(params['sessionId']));
    if (method === 'session/cancel' && session !== undefined) this.#stop(session);
    if (method !== '$/cancel_request') return;
    for (const { held } of this.#open.values()) {
      const nth = held.findIndex(({ id }) => id === params['requestId']);
      if (nth !== -1) this.#refuse(held.splice(nth, 1)[0]?.id, { code: -32_800, message: 'Withdrawn' });
    }
  }

  #answer(method: string, params: RawMessage, id: unknown): unknown {
    if (method === 'initialize') return this.#initialize(params);
    if (this.#client === undefined) throw new Refusal(-32_600, 'initialize comes first');
    if (method === 'auth/login' || method === 'auth/logout') return this.#login(method, params);
    const handlers: { readonly [method: string]: () => unknown } = {
      'session/new': () => this.#new(params),
      'session/list': () => this.#list(params),
      'session/resume': () => this.#resume(params),
      'session/close': () => this.#close(params),
      'session/delete': () => {
        this.#stored.delete(text(params, 'sessionId'));
        return {};
      },
      'session/prompt': () => this.#prompt(params, id),
      'session/set_config_option': () => this.#set(params),
      'tool_call/cancel': () => this.#cancelCall(params),
      'terminal/cancel': () => this.#cancelCall({ ...params, toolCallId: params['terminalId'] }),
    };
    const handler = handlers[method];
    if (handler === undefined) throw new Refusal(-32_601, `${method} is unknown`);
    this.#isUsed = true;
    return handler();
  }

  #initialize({ protocolVersion: version, info, capabilities }: RawMessage): RawMessage {
    if (!Number.isInteger(version) || (version as number) < 0 || (version as number) > 65_535)
      throw new Refusal(-32_602, 'protocolVersion is not a version');
    if (this.#client !== undefined && (this.#isUsed || (version as number) < 2))
      throw new Refusal(-32_600, 'initialize cannot be repeated now');
    if ((version as number) < 2) throw new Refusal(-32_022, 'Only version 2', { requested: version, supported: [2] });
    if (version === 2 && typeof at(asMessage(info), 'name') !== 'string')
      throw new Refusal(-32_602, 'info has no name');
    this.#client = asMessage(capabilities) ?? {};
    const terminal = asMessage(at(this.#client['auth'], 'terminal')) !== undefined;
    const env = [{ name: 'LOGIN', value: '1' }];
    return {
      protocolVersion: 2,
      info: { name: 'raw', version: '1.0.0' },
      capabilities: requestedFields,
      authMethods: [
        { type: 'agent', methodId: 'key', name: 'Key' },
        ...(terminal ? [{ type: 'terminal', methodId: 'console', name: 'Console', args: ['login'], env }] : []),
      ],
    };
  }

  #login(method: string, { methodId }: RawMessage): RawMessage {
    if (method === 'auth/login' && methodId !== 'key') throw new Refusal(-32_602, 'methodId: no such login');
    return {};
  }

  #new(params: RawMessage): RawMessage {
    const cwd = this.#setUp(params);
    const id = randomUUID();
    const stored = { id, cwd, history: [], keys: new Map(), size: 'small', said: '' };
    this.#stored.set(id, stored);
    this.#open.set(id, new OpenSession(stored));
    return { sessionId: id, ...setUpOf(stored) };
  }

  #setUp(params: RawMessage): string {
    const roots = params['additionalDirectories'] ?? [];
    const cwd = text(params, 'cwd');
    if (![cwd].concat(roots as string[]).every((each) => typeof each === 'string' && isAbsolute(each)))
      throw new Refusal(-32_602, 'a folder is not an absolute path');
    if (!Array.isArray(roots) || !Array.isArray(params['mcpServers'] ?? []))
      throw new Refusal(-32_602, 'a list is expected');
    if (objectsIn(params['mcpServers']).length > 0) throw new Refusal(-32_602, 'mcpServers: not offered');
    return cwd;
  }

  #list({ cwd, cursor }: RawMessage): RawMessage {
    if (cursor !== undefined) throw new Refusal(-32_602, 'cursor: not mine');
    if (cwd !== undefined && typeof cwd !== 'string') throw new Refusal(-32_602, 'cwd: not a path');
    const kept = [...this.#stored.values()].filter((each) => cwd === undefined || each.cwd === cwd);
    return { sessions: kept.map((each) => ({ sessionId: each.id, cwd: each.cwd })) };
  }

  #resume(params: RawMessage): RawMessage {
    this.#setUp(params);
    const stored = this.#storedBy(params);
    const replay = params['replayFrom'];
    if (replay !== undefined && at(replay, 'type') !== 'start') throw new Refusal(-32_602, 'replayFrom: unknown type');
    const { id } = stored;
    if (!this.#open.has(id)) this.#open.set(id, new OpenSession(stored));
    if (replay !== undefined) {
      for (const update of wholeMessages(stored.history)) this.#update(id, update, false);
      this.#update(id, { sessionUpdate: 'replay_complete' }, false);
    }
    this.#state(id, this.#open.get(id)?.work === undefined ? 'idle' : 'running');
    return setUpOf(stored);
  }

  async #closed(session: OpenSession): Promise<RawMessage> {
    this.#stop(session);
    await session.done;
    return {};
  }

  #close(params: RawMessage): RawMessage | Promise<RawMessage> {
    const id = text(params, 'sessionId');
    if (this.#children.has(id)) throw new Refusal(-32_602, 'sessionId: a child session');
    const session = this.#open.get(id);
    this.#open.delete(id);
    return session === undefined ? {} : this.#closed(session);
  }

  #storedBy(params: RawMessage): Stored {
    const sessionId = text(params, 'sessionId');
    if (this.#children.has(sessionId)) throw new Refusal(-32_602, 'sessionId: a child session');
    const stored = this.#stored.get(sessionId);
    if (stored === undefined) throw new Refusal(-32_002, 'Session not found', { sessionId });
    return stored;
  }

  #openBy(params: RawMessage): OpenSession {
    const { id } = this.#storedBy(params);
    const session = this.#open.get(id);
    if (session === undefined) throw new Refusal(-32_002, 'Session not found', { sessionId: id });
    return session;
  }

  #set(params: RawMessage): RawMessage {
    const { stored } = this.#openBy(params);
    const { configId, value } = params;
    if (configId !== 'size' || (value !== 'small' && value !== 'large'))
      throw new Refusal(-32_602, 'value: not offered');
    stored.size = value;
    return { configOptions: setUpOf(stored)['configOptions'] };
  }

  #cancelCall(params: RawMessage): RawMessage {
    const command = this.#openBy(params).commands.get(params['toolCallId']);
    if (command === undefined) throw new Refusal(-32_602, 'nothing to cancel');
    command.kill('SIGKILL');
    return {};
  }

  /** Cancels the work of a session and the prompts that it holds. */
  #stop({ work, held }: OpenSession): void {
    for (const { id } of held.splice(0)) this.#refuse(id, { code: -32_800, message: 'Cancelled' });
    work?.abort();
  }

  #prompt(params: RawMessage, id: unknown): RawMessage | undefined {
    const session = this.#openBy(params);
    const blocks = objectsIn(params['prompt']);
    const types = blocks.map(({ type }) => type);
    const isBad = blocks.some((block) => block['type'] === 'text' && typeof block['text'] !== 'string');
    if (
      blocks.length === 0 ||
      isBad ||
      types.some((type) => !['text', 'resource_link', 'image'].includes(String(type)))
    )
      throw new Refusal(-32_602, 'prompt: not offered');
    const key = params['idempotencyKey'];
    const known = session.stored.keys.get(key);
    if (key !== undefined && known !== undefined) return { messageId: known };
    session.held.push({
      id,
      key,
      text: blocks.map(({ text: words }) => (typeof words === 'string' ? words : '')).join(''),
    });
    if (session.work === undefined) session.done = this.#work(session);
    return undefined;
  }

  async #work(session: OpenSession): Promise<void> {
    const { stored, held } = session;
    for (let prompt = held.shift(); prompt !== undefined; prompt = held.shift()) {
      const messageId = randomUUID();
      session.work = new AbortController();
      if (prompt.key !== undefined) stored.keys.set(prompt.key, messageId);
      const content = [{ type: 'text', text: prompt.text }];
      this.#update(stored.id, { sessionUpdate: 'user_message', messageId, content });
      this.#send({ id: prompt.id, result: { messageId } });
      this.#state(stored.id, 'running');
      const background = await this.#obey(session, prompt.text);
      const stopReason = session.work.signal.aborted ? 'cancelled' : 'end_turn';
      session.work = undefined;
      this.#state(stored.id, 'idle', { stopReason, ...(background && { background }) });
    }
  }

  /** Obeys a prompt. Resolves with the work that continues in the background, if it reports any. */
  async #obey(session: OpenSession, prompt: string): Promise<readonly RawMessage[] | undefined> {
    const asked = prompts.exec(prompt)?.groups ?? {};
    const { signal } = session.work ?? {};
    if (asked['create'] !== undefined) await this.#write(session, asked['create'], asked['text'] ?? '');
    else if (asked['read'] !== undefined) this.#read(session, asked['read']);
    else if (asked['run'] !== undefined) await this.#run(session, asked['run']);
    else if (asked['ask'] !== undefined) await this.#ask(session, asked['ask'], (asked['choices'] ?? '').split(', '));
    else if (asked['delegate'] !== undefined) return this.#delegate(session);
    else if (asked['say'] !== undefined && asked['say'].length > 500) {
      for (const word of asked['say'].split(', ')) {
        if (signal?.aborted) return undefined;
        this.#say(session, `${word}, `);
        await new Promise((done) => setTimeout(done, 2));
      }
    } else if (asked['help'] !== undefined) this.#say(session, 'The only command is /help.');
    else this.#say(session, asked['say'] ?? (asked['again'] ? session.stored.said : 'You may say: say "hello"'));
    return undefined;
  }

  #say({ stored, work }: OpenSession, words: string): void {
    if (work?.signal.aborted) return;
    stored.said = words;
    const content = { type: 'text', text: words };
    this.#update(stored.id, { sessionUpdate: 'agent_message_chunk', messageId: randomUUID(), content });
  }

  #call({ stored: { id } }: OpenSession, call: RawMessage): void {
    this.#update(id, { sessionUpdate: 'tool_call_update', ...call });
  }

  /** Asks the client. A request that the work no longer needs is cancelled; then the answer does not matter. */
  #request({ work }: OpenSession, method: string, params: RawMessage): Promise<RawMessage> {
    const id = this.#nextId++;
    const cancel = (): void => this.#send({ method: '$/cancel_request', params: { requestId: id } });
    this.#send({ id, method, params });
    work?.signal.addEventListener('abort', cancel);
    return new Promise((done) =>
      this.#asked.set(JSON.stringify(id), (answer) => {
        work?.signal.removeEventListener('abort', cancel);
        done(answer);
      }),
    );
  }

  async #write(session: OpenSession, name: string, content: string): Promise<void> {
    const { id, cwd } = session.stored;
    const toolCallId = randomUUID();
    const path = resolve(cwd, name);
    const call = { toolCallId, title: `Write ${path}`, name: 'write', kind: 'edit', locations: [{ path, line: 1 }] };
    this.#call(session, { ...call, status: 'pending' });
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    this.#state(id, 'requires_action');
    const subject = { type: 'tool_call', toolCall: call };
    const answer = await this.#request(session, 'session/request_permission', {
      ...{ sessionId: id, title: `Write ${path}?`, subject, options },
    });
    const isAllowed = at(answer['result'], 'outcome', 'optionId') === 'yes' && isInside(path, cwd);
    if (session.work?.signal.aborted) return this.#call(session, { toolCallId, status: 'cancelled' });
    this.#state(id, 'running');
    if (!isAllowed) return this.#call(session, { toolCallId, status: 'failed' });
    writeFileSync(path, content);
    const patch = { format: 'git_patch', text: `--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+${content}\n` };
    const diff = { type: 'diff', changes: [{ operation: 'add', path, fileType: 'text' }], patch };
    this.#call(session, { toolCallId, status: 'completed', content: [diff] });
  }

  #read(session: OpenSession, path: string): void {
    const toolCallId = randomUUID();
    this.#call(session, { toolCallId, title: `Read ${path}`, kind: 'read', status: 'in_progress' });
    const isAllowed = isInside(path, session.stored.cwd);
    this.#call(session, { toolCallId, status: isAllowed ? 'completed' : 'failed' });
    if (isAllowed) this.#say(session, readFileSync(path, 'utf8'));
  }

  async #run(session: OpenSession, command: string): Promise<void> {
    const { id: sessionId, cwd } = session.stored;
    const id = randomUUID();
    const content = [{ type: 'terminal', terminalId: id }];
    const capabilities = { cancel: {} };
    this.#call(session, {
      toolCallId: id,
      title: command,
      kind: 'execute',
      status: 'in_progress',
      content,
      capabilities,
    });
    this.#update(sessionId, { sessionUpdate: 'terminal_update', terminalId: id, command, cwd, capabilities });
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    session.commands.set(id, child);
    const stop = (): void => void child.kill('SIGKILL');
    session.work?.signal.addEventListener('abort', stop);
    child.stdout.on('data', (bytes: Buffer) =>
      this.#update(sessionId, {
        sessionUpdate: 'terminal_output_chunk',
        terminalId: id,
        data: bytes.toString('base64'),
      }),
    );
    const exitCode = await new Promise<number | null>((done) => child.on('close', done));
    session.commands.delete(id);
    const exitStatus = { exitCode };
    this.#update(sessionId, { sessionUpdate: 'terminal_update', terminalId: id, exitStatus, capabilities: null });
    this.#call(session, { toolCallId: id, status: exitCode === null ? 'cancelled' : 'completed', capabilities: null });
  }

  async #ask(session: OpenSession, message: string, choices: readonly string[]): Promise<void> {
    const { id: sessionId } = session.stored;
    if (asMessage(at(this.#client?.['elicitation'], 'form')) === undefined)
      return this.#say(session, `${message} ${choices.join(', ')}`);
    const properties = { tree: { type: 'string', enum: choices } };
    const requestedSchema = { type: 'object', properties, required: ['tree'] };
    this.#state(sessionId, 'requires_action');
    const form = { sessionId, mode: 'form', message, requestedSchema };
    const answer = asMessage((await this.#request(session, 'elicitation/create', form))['result']);
    if (session.work?.signal.aborted) return;
    this.#state(sessionId, 'running');
    const tree = answer?.['action'] === 'accept' ? at(answer['content'], 'tree') : undefined;
    this.#say(session, choices.includes(String(tree)) ? String(tree) : 'No answer.');
  }

  /** Leaves a child session to work in the background, and ends it. */
  #delegate({ stored: { id } }: OpenSession): readonly RawMessage[] {
    const child = randomUUID();
    this.#children.add(child);
    const mirror = (state: string): void =>
      this.#update(id, { sessionUpdate: 'subagent_update', sessionId: child, title: 'Saying', state: { state } });
    mirror('running');
    const message = {
      sessionUpdate: 'session_message',
      messageId: randomUUID(),
      content: [{ type: 'text', text: 'Say it.' }],
    };
    this.#update(id, { ...message, recipientSessionId: child });
    this.#state(child, 'running');
    this.#update(child, { ...message, senderSessionId: id }, false);
    setTimeout(() => {
      this.#state(child, 'idle', { stopReason: 'end_turn' });
      mirror('idle');
      this.#state(id, 'idle', { background: [] });
    }, 20);
    return [{ type: 'subagent', sessionId: child }];
  }
}

function setUpOf({ size }: Stored): RawMessage {
  const options = ['small', 'large'].map((value) => ({ value, name: value }));
  return {
    configOptions: [{ type: 'select', configId: 'size', name: 'Size', currentValue: size, options }],
    availableCommands: [{ type: 'command', name: 'help', description: 'Shows what to say' }],
  };
}

/** A history in which each message is one whole update. */
function wholeMessages(history: readonly RawMessage[]): readonly RawMessage[] {
  return history.map((update) =>
    update['sessionUpdate'] === 'agent_message_chunk'
      ? { ...update, sessionUpdate: 'agent_message', content: [update['content']] }
      : update,
  );
}

function isInside(path: string, folder: string): boolean {
  try {
    return join(realpathSync(dirname(path)), '/').startsWith(join(realpathSync(folder), '/'));
  } catch {
    return false;
  }
}

function text(params: RawMessage, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw new Refusal(-32_602, `${name}: expected a string`);
  return value;
}
