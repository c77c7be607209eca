import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import {
  type Agent,
  type AgentOptions,
  approveAll,
  attachAgent,
  denyAll,
  type NewSessionOptions,
  type PermissionPolicy,
  type Session,
  type Turn,
} from '@turnwire/client';
import { forksOf } from '@turnwire/client/extensions';
import { protocolVersions } from '@turnwire/client/v2';
import {
  launchAgent,
  localFiles,
  localTerminals,
  mcpServersFor,
  promptContent,
  readMcpConfig,
  terminalLoginCommand,
} from '@turnwire/client/node';
import { readScriptedAnswers, type ScriptedAnswers, scriptedElicitation } from '@turnwire/client/elicitation';
import { TurnwireError, type SessionUpdate, type Transport } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { memoryPair } from '@turnwire/transports/memory';
import { webSocketTransport } from '@turnwire/transports/websocket';
import { WebSocket } from 'ws';
import { within } from '../../../tools/pace.ts';
import type { ClientAction } from '../../src/client/drive/client-driver.ts';
import type { ClientRun } from '../../src/client/drive/client-run.ts';
import type { ClientOrder, ClientSubject } from '../../src/client/drive/client-subject.ts';
import type { Exit } from '../../src/wire/line.ts';
import { at, type RawMessage } from '../../src/wire/messages.ts';
import { transportLine } from '../../src/wire/transport-line.ts';

/** Faults of the client that a change of its lines cannot simulate. */
export type Quirk =
  | 'prints control sequences unchanged'
  | 'restarts its agent endlessly'
  | 'restarts its agent at once'
  | 'breaks characters that arrive in pieces'
  | 'reports no failure'
  | 'reports no failure and exits with 0'
  | 'runs the login command of its agent'
  | 'logs in without arguments'
  | 'treats every login as successful'
  | 'continues after a login'
  | 'leaves its agent running';

/** Faults of the client in its requests, or its WebSocket. */
export interface WireDefect {
  readonly fetch?: (send: typeof fetch) => typeof fetch;
  /** Replaces a text that it sends. */
  readonly send?: (text: string) => readonly (string | Uint8Array)[];
  /** Replaces a message that it receives. */
  readonly receive?: (data: unknown) => unknown;
}

type Through = 'memory' | 'process' | 'http' | 'websocket';

/** Puts something between the client and its agent: it connects to the agent as often as it needs to. */
export type Between = (connect: () => Transport, order: ClientOrder) => Transport;

/** What is special about a client. */
interface Setting extends WireDefect {
  readonly between?: Between;
  /** The versions that it offers. Default: those of the order. */
  readonly versions?: AgentOptions['versions'];
}

/** The client library in this process, which starts at once. Only with `process` does its agent have a process to observe. */
export function builtInClient(through: Through, quirk?: Quirk, wire: Setting = {}): ClientSubject {
  return {
    name: '@turnwire/client',
    over: through === 'http' || through === 'websocket' ? through : undefined,
    // The library does not show which terminals can be cancelled.
    can: (action) => action !== 'cancel terminal',
    start: (order) => Promise.resolve(new LibraryRun(order, { through, quirk, wire })),
  };
}

function transportTo(url: string, { fetch: changed, send, receive = (data) => data }: WireDefect): Transport {
  if (url.startsWith('http')) return connectHttp(url, { fetch: changed?.(fetch) });
  const socket = new WebSocket(url);
  return webSocketTransport({
    get readyState() {
      return socket.readyState;
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (text) => {
      for (const each of send?.(text) ?? [text]) socket.send(each);
    },
    close: (...given) => socket.close(...given),
    addEventListener: (type: string, listener: (event: never) => void) =>
      socket.addEventListener(
        type as 'message',
        ((event: { readonly data: unknown }) =>
          listener((type === 'message' ? { data: receive(event.data) } : event) as never)) as never,
      ),
  });
}

class LibraryRun implements ClientRun {
  readonly exited: Promise<Exit>;
  readonly #order: ClientOrder;
  readonly #through: Through;
  readonly #quirk: Quirk | undefined;
  readonly #wire: Setting;
  #out = '';
  #err = '';
  #agent: Agent | undefined;
  #turn: Turn | undefined;
  #session = '';
  readonly #stop = new AbortController();

  constructor(
    order: ClientOrder,
    {
      through,
      quirk,
      wire,
    }: {
      readonly through: Through;
      readonly quirk: Quirk | undefined;
      readonly wire: Setting;
    },
  ) {
    this.#order = order;
    this.#quirk = quirk;
    this.#through = through;
    this.#wire = wire;
    this.exited = Promise.race([this.#work(), this.#interrupted()]);
  }

  pids = (): readonly number[] => [process.pid];
  stdout = (): string => this.#out;
  stderr = (): string => this.#err;

  async cancel(): Promise<void> {
    void this.#turn?.cancel().catch(() => undefined);
    return Promise.resolve();
  }

  interrupt(): void {
    this.#stop.abort();
  }

  async kill(): Promise<void> {
    this.#stop.abort();
    await this.exited;
    await this.#agent?.close();
  }

  async #interrupted(): Promise<Exit> {
    await new Promise((resolve) => this.#stop.signal.addEventListener('abort', resolve));
    await this.#agent?.close();
    return { code: 130, signal: null };
  }

  async #work(): Promise<Exit> {
    try {
      await this.#do(this.#order.action);
      return { code: 0, signal: null };
    } catch (error) {
      if (this.#quirk === 'reports no failure and exits with 0') return { code: 0, signal: null };
      if (this.#quirk !== 'reports no failure')
        this.#err += `${error instanceof Error ? error.message : String(error)}\n`;
      return { code: 1, signal: null };
    } finally {
      if (this.#quirk !== 'leaves its agent running') await this.#agent?.close();
    }
  }

  async #do(action: ClientAction): Promise<void> {
    const { values } = this.#order;
    const agent = await this.#opened();
    switch (action) {
      case 'list':
        if (agent.listSessions === undefined) throw new Error('the agent lists no sessions');
        for await (const { sessionId } of agent.listSessions()) this.#out += `${sessionId}\n`;
        return;
      case 'load':
      case 'load with directory':
        return void (await this.#again(agent));
      case 'delete': {
        const { id } = await this.#begin(agent);
        if (agent.deleteSession === undefined) throw new Error('the agent deletes no sessions');
        return agent.deleteSession(id);
      }
      case 'fork':
        return this.#fork(agent);
      case 'logout':
        if (agent.logout === undefined) throw new Error('the agent has no logout');
        return agent.logout();
      case 'close':
        return (await this.#begin(agent)).close?.();
      case 'mode':
        return (await this.#begin(agent)).modes?.set(values['mode'] ?? '');
      case 'option':
        return this.#set(await this.#begin(agent));
      default:
        return this.#converse(action);
    }
  }

  async #fork(agent: Agent): Promise<void> {
    const session = await this.#begin(agent);
    if (forksOf(agent.capabilities) === undefined) throw new Error('the agent cannot fork sessions');
    await agent.peer.raw.request('session/fork', {
      sessionId: session.id,
      cwd: this.#order.values['cwd'],
      mcpServers: [],
    });
  }

  async #set({ configOptions }: Session): Promise<void> {
    const { option: id = '', value = '' } = this.#order.values;
    const isSwitch = configOptions?.list.find((option) => option.id === id)?.type === 'boolean';
    await configOptions?.set(id, isSwitch ? value === 'true' : value);
  }

  async #converse(action: ClientAction): Promise<void> {
    const session = await this.#loggedIn();
    const { values } = this.#order;
    await this.#prompt(session, await this.#content());
    if (action === 'prompt twice') await this.#prompt(session, values['next'] ?? '');
    await session.close?.();
  }

  /** Opens a session; restarts the agent before if a terminal login requires it. */
  async #loggedIn(): Promise<Session> {
    try {
      return await this.#begin(this.#agent!);
    } catch (error) {
      if (this.#order.action !== 'terminal login' || !String(error).includes('start it again')) throw error;
      if (this.#quirk === 'continues after a login') return this.#begin(this.#agent!);
      await this.#agent?.close();
      return this.#begin(await this.#open());
    }
  }

  async #content(): Promise<Parameters<Session['prompt']>[0]> {
    const { prompt = '', image, file, cwd } = this.#order.values;
    const attachments = [image, file].filter((path) => path !== undefined);
    if (attachments.length === 0) return prompt;
    return promptContent({ text: prompt, attachments }, this.#agent!.capabilities.promptCapabilities ?? {}, { cwd });
  }

  async #prompt(session: Session, content: Parameters<Session['prompt']>[0]): Promise<void> {
    this.#turn = session.prompt(content);
    const { stopReason } = await this.#turn;
    this.#err += `the turn ended: ${stopReason}\n`;
  }

  async #opened(): Promise<Agent> {
    const vain =
      this.#quirk === 'restarts its agent endlessly' ? 7 : this.#quirk === 'restarts its agent at once' ? 2 : 0;
    for (let left = vain; left > 0; left--) await this.#open().catch(() => undefined);
    return this.#open();
  }

  async #open(): Promise<Agent> {
    const options = await this.#options();
    if (this.#through === 'process') {
      this.#agent = await launchAgent([this.#order.values['agent'] ?? ''], {
        ...options,
        env: { HOME: this.#order.home },
      });
      return this.#agent;
    }
    if (this.#through !== 'memory') {
      this.#agent = await attachAgent(transportTo(this.#order.values['agent'] ?? '', this.#wire), options);
      return this.#agent;
    }
    const connect = (): Transport => {
      const [client, agent] = memoryPair();
      this.#order.attach(transportLine(agent));
      return client;
    };
    const { between = () => connect() } = this.#wire;
    this.#agent = await attachAgent(between(connect, this.#order), options);
    return this.#agent;
  }

  async #options(): Promise<AgentOptions> {
    const { action, values } = this.#order;
    const policies: { readonly [name in ClientAction]?: PermissionPolicy } = {
      allow: approveAll,
      'leave open': (_request, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
    };
    return {
      permission: policies[action] ?? denyAll,
      timeouts: { cancel: within(1_000) },
      host: {
        files: localFiles(),
        terminals: localTerminals(),
        elicitation: scriptedElicitation(await this.#answers()),
      },
      signal: this.#stop.signal,
      ...(values['protocol'] === '2' && { versions: protocolVersions([1, 2]) }),
      ...(this.#wire.versions && { versions: this.#wire.versions }),
      ...(action === 'login' && { onLoginNeeded: () => values['method'] }),
      ...(action === 'terminal login' && {
        onLoginNeeded: () => values['method'],
        terminalLogin: (method) => this.#atTerminal(method),
      }),
    };
  }

  async #answers(): Promise<ScriptedAnswers> {
    const { action, values } = this.#order;
    if (action === 'decline') return [{ action: 'decline' }];
    if (action === 'consent') return [{ match: { url: values['url'] ?? '' }, action: 'accept' }];
    return values['answers'] === undefined
      ? {}
      : readScriptedAnswers(JSON.parse(await readFile(values['answers'], 'utf8')));
  }

  async #atTerminal(method: Parameters<NonNullable<AgentOptions['terminalLogin']>>[0]): Promise<boolean> {
    const { words, env } = terminalLoginCommand([this.#order.values['agent'] ?? ''], method);
    const args = this.#quirk === 'logs in without arguments' ? ['--log-in'] : words.slice(1);
    const named = (method as { readonly command?: string }).command;
    const program = this.#quirk === 'runs the login command of its agent' ? named : words[0];
    const child = spawn(program!, args, { env, stdio: 'ignore' });
    return new Promise((resolve) =>
      child.once('exit', (code) => resolve(code === 0 || this.#quirk === 'treats every login as successful')),
    );
  }

  async #begin(agent: Agent): Promise<Session> {
    const session = await agent.newSession(await this.#setup(agent));
    this.#session = session.id;
    return session;
  }

  async #again(agent: Agent): Promise<void> {
    const options = { ...(await this.#setup(agent)), sessionId: this.#order.values['session'] ?? '' };
    const open = agent.loadSession ?? agent.resumeSession;
    if (open === undefined) throw new TurnwireError('not-advertised', 'the agent opens no session again');
    await open(options);
  }

  async #setup({ capabilities }: Agent): Promise<NewSessionOptions> {
    const { cwd = '', directory, servers } = this.#order.values;
    const known = servers === undefined ? [] : await readMcpConfig(servers);
    const { servers: mcpServers } = mcpServersFor(capabilities.mcpCapabilities, known);
    const canAdd = (capabilities.sessionCapabilities?.additionalDirectories ?? null) !== null;
    return {
      cwd,
      mcpServers,
      ...(directory !== undefined && canAdd && { additionalDirectories: [directory] }),
      onUpdate: (update) => this.#show(update),
    };
  }

  #show(update: SessionUpdate): void {
    const { sessionUpdate, toolCallId, capabilities, _meta } = update as RawMessage;
    if (
      String(sessionUpdate).startsWith('tool_call') &&
      at(capabilities, 'cancel') &&
      this.#order.action === 'cancel call'
    )
      void this.#agent?.peer.raw.request('tool_call/cancel', { sessionId: this.#session, toolCallId });
    const output = at(_meta, 'terminal_output', 'data');
    if (typeof output === 'string') this.#out += output;
    if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
    const isBroken =
      this.#quirk === 'breaks characters that arrive in pieces' && update.content.text.startsWith('in pieces');
    const text = isBroken ? update.content.text.replaceAll(/[^ -~]/gu, '\u{fffd}') : update.content.text;
    this.#out += `${this.#quirk === 'prints control sequences unchanged' ? text : shown(text)}
`;
  }
}

/** Removes everything from a text that would control a terminal. */
function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '');
}
