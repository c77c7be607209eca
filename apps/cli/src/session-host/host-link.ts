import { connect, type Socket } from 'node:net';
import {
  TurnwireError,
  connectClient,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type Peer,
  type RequestOptions,
  type SessionUpdate,
} from '@turnwire/protocol';
import type { QuestionView } from '@turnwire/permissions';
import { type LockHolder, lockHolder } from '@turnwire/machine';
import { pause } from '@turnwire/machine/waits';
import { stdioTransport } from '@turnwire/transports/stdio';
import type { AskUser } from '../questions/ask-user.ts';
import type { SessionRecord } from '../store/session-record.ts';
import type { SessionStore } from '../store/session-store.ts';
import {
  type FrameNews,
  longestMessage,
  type HostDetails,
  hostProtocol,
  type HostStart,
  type HostStatus,
  type PromptOrder,
  type PromptOutcome,
  type RemarkNews,
  type UpdateNews,
} from './host-protocol.ts';
import { startHost } from './start-host.ts';
import { fromWire } from './wire-errors.ts';

/** How long a session host may take to listen, or one that is ending to be gone, in milliseconds. */
const patience = 30_000;
/** How long to wait between two attempts, in milliseconds. */
const betweenAttempts = 50;
/** How long a session host may take to cancel a turn and to report its end, in milliseconds. */
const endOfTurn = 15_000;
/** How long a session host may take to answer a greeting, in milliseconds. Another program may listen where one did. */
const greeting = 5_000;

/** Receives the events of a turn. A returned promise holds the session host, and so the agent, back until it resolves. */
export interface HostListener {
  readonly onFrame?: (frame: string) => Promise<void> | undefined;
  readonly onUpdate?: (update: SessionUpdate) => Promise<void> | undefined;
  readonly onRemark?: (message: string) => void;
  readonly onAsk?: AskUser;
  readonly onElicit?: (request: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>;
}

/** A command's connection to a session host. */
export class HostLink implements AsyncDisposable {
  readonly #peer: Peer<'client'>;
  readonly #socket: Socket;
  readonly #pid: number;

  private constructor(socket: Socket, { pid, listener }: { readonly pid: number; readonly listener: HostListener }) {
    this.#socket = socket;
    this.#pid = pid;
    this.#peer = connectClient(
      stdioTransport({ input: socket, output: socket, maxFrameBytes: longestMessage }),
      {
        '_host/frame': (news) => listener.onFrame?.((news as FrameNews).frame),
        '_host/update': (news) => listener.onUpdate?.((news as UpdateNews).update),
        '_host/remark': (news) => listener.onRemark?.((news as RemarkNews).message),
        '_host/ask': async (order, { signal }) => {
          const { view } = order as { readonly view: QuestionView };
          const choice = await listener.onAsk?.(view, signal ?? new AbortController().signal);
          return choice ? { choice: view.choices.indexOf(choice) } : {};
        },
        '_host/elicit': (order, { signal }) => {
          const { request } = order as { readonly request: CreateElicitationRequest };
          return listener.onElicit?.(request, signal ?? new AbortController().signal) ?? { action: 'cancel' };
        },
      },
      { gates: false, limits: { cancel: endOfTurn } },
    );
  }

  /** Connects to the session host a lock names. Rejects if no session host answers there. */
  static async to(
    holder: LockHolder<HostDetails>,
    { listener, ttl, timeout = greeting }: LinkOptions,
  ): Promise<HostLink> {
    const socket = await connected(holder.details.socket);
    const link = new HostLink(socket, { pid: holder.pid, listener });
    try {
      const hello = { protocol: hostProtocol, token: holder.details.token, ttl };
      await link.#ask('_host/hello', hello, { timeout });
      return link;
    } catch (error) {
      await link[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Resolves when the agent has the session. Rejects with the reason if it cannot. */
  async ready(): Promise<HostStatus> {
    return (await this.#ask('_host/ready')) as HostStatus;
  }

  /** Runs a turn; resolves when it is over, or as soon as it is queued if no more is wanted. */
  async prompt(order: PromptOrder): Promise<PromptOutcome> {
    return (await this.#ask('_host/prompt', order)) as PromptOutcome;
  }

  /** Cancels a prompt, or the running one. Resolves with whether there was one. */
  async cancel(promptId?: string): Promise<boolean> {
    return (await this.#ask('_host/cancel', { promptId }, { timeout: endOfTurn })) as boolean;
  }

  async setMode(modeId: string): Promise<void> {
    await this.#ask('_host/set-mode', { modeId });
  }

  async set(id: string, value: string): Promise<HostStatus> {
    return (await this.#ask('_host/set', { id, value })) as HostStatus;
  }

  async status(): Promise<HostStatus> {
    return (await this.#ask('_host/status', {}, { timeout: endOfTurn })) as HostStatus;
  }

  /** Asks the session host to end, and with it the agent. Resolves when it has agreed. */
  async end(how: { readonly isClosed?: true } = {}): Promise<void> {
    await this.#ask('_host/end', how, { timeout: endOfTurn });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#peer.close();
    this.#socket.destroy();
  }

  async #ask(method: `_${string}`, params: unknown = {}, options?: RequestOptions): Promise<unknown> {
    try {
      return await this.#peer.request(method, params, options);
    } catch (error) {
      throw hostEnded(error, this.#pid) ?? fromWire(error);
    }
  }
}

/** The connection closes before the answer only when the session host ends. Failures of the agent arrive as an answer. */
function hostEnded(error: unknown, pid: number): TurnwireError | undefined {
  if (!(error instanceof TurnwireError) || error.code !== 'connection-closed') return undefined;
  const message = `the host process of the session (${pid}) ended. The session is stored: run the command again`;
  return new TurnwireError('connection-closed', message, { cause: error });
}

/** How a command connects. */
export interface LinkOptions {
  readonly listener: HostListener;
  /** Seconds; absent: unchanged. */
  readonly ttl?: number | undefined;
  /** Milliseconds that the session host has for its first answer. Default 5,000. */
  readonly timeout?: number | undefined;
}

/** Connects to the host of a session if there is one. */
export async function linkIfHosted(
  { store, record }: HostedPlace,
  options: LinkOptions,
): Promise<HostLink | undefined> {
  for (const started = Date.now(); ; await pause(betweenAttempts)) {
    const holder = await lockHolder<HostDetails>(store.lockOf(record.id));
    if (!holder) return undefined;
    const link = await HostLink.to(holder, options).catch(undefinedIfDeaf);
    if (link) return link;
    const { pid } = holder;
    if (Date.now() - started > patience)
      throw new Error(`process ${pid} hosts the session but does not answer; end it with: kill ${pid}`);
  }
}

/** Where a session is stored. */
export interface HostedPlace {
  readonly store: SessionStore;
  readonly record: SessionRecord;
}

/** Connects to the host of a session; starts one if there is none. */
export async function linkToHost(
  place: HostedPlace,
  options: LinkOptions & { readonly start: () => Promise<HostStart> },
): Promise<HostLink> {
  for (const started = Date.now(); ;) {
    const link = await linkIfHosted(place, options);
    if (link) return link;
    const news = await startHost(await options.start(), place.store.folderOf(place.record.id));
    if (news.type === 'failed') throw new Error(news.message);
    if (Date.now() - started > patience) throw new Error('the host process of the session ends right after it starts');
  }
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** No session host listens there yet, or any more. */
function undefinedIfDeaf(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'connection-closed', 'timeout'].includes(String(code)))
    throw error;
}
