import { once } from 'node:events';
import { connect } from 'node:net';
import { type Agent, lossText, type Session } from '@turnwire/client';
import { GatewaySession, type GatewaySessionParts } from '@turnwire/client/gateway';
import { gatewayError } from '@turnwire/gateway';
import { type LockHolder, lockHolder } from '@turnwire/machine';
import { pause } from '@turnwire/machine/waits';
import {
  type ContentBlock,
  type SessionConfigOption,
  type Transport,
  TurnwireError,
  turnwireMeta,
} from '@turnwire/protocol';
import type { TurnEnd } from '@turnwire/runtime';
import { stdioTransport } from '@turnwire/transports/stdio';
import { warn, explain } from '../failure.ts';
import type { SessionPort } from '../sessions/session-port.ts';
import type { NamedSessions } from '../store/named-sessions.ts';
import type { SessionRecord } from '../store/session-record.ts';
import type { HostDetails, HostStart, HostNews } from './host-start.ts';
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ownCommand } from '../own-command.ts';
import { hostCommand } from './host-command.ts';

/** How long a session host may take to listen or to end, in milliseconds. */
const hostTimeout = 30_000;
/** How long to wait between two attempts, in milliseconds. */
const betweenAttempts = 50;

/** A stored session. */
export interface HostedPlace {
  readonly sessions: NamedSessions;
  readonly record: SessionRecord;
}

/** How a command connects. */
export interface HostConnecting extends Pick<GatewaySessionParts, 'after' | 'opening' | 'onEvents'> {
  /** Attaches the command to the session host as a client that passes received events to the session. */
  readonly attach: (transport: Transport, session: GatewaySession) => Promise<Agent>;
}

/** A command's connection to the host of a session: a client of its gateway that has the session open. */
export class HostConnection implements SessionPort {
  /** The connection to the gateway, which acts as the agent. */
  readonly agent: Agent;
  readonly session: Session;
  /** The session as a session of a gateway. */
  readonly remote: GatewaySession;
  readonly holder: LockHolder<HostDetails>;

  private constructor({
    agent,
    session,
    remote,
    holder,
  }: Pick<HostConnection, 'agent' | 'session' | 'remote' | 'holder'>) {
    this.agent = agent;
    this.session = session;
    this.remote = remote;
    this.holder = holder;
  }

  /** Connects to the session host that a lock names. */
  static async to(
    holder: LockHolder<HostDetails>,
    { record: { id, cwd } }: HostedPlace,
    { attach, ...parts }: HostConnecting,
  ): Promise<HostConnection> {
    const socket = connect(holder.details.socket);
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const remote = new GatewaySession({ ...parts, id, cwd, onMessageLost: (loss) => warn(lossText(loss)) });
    const agent = await attach(stdioTransport({ input: socket, output: socket }), remote);
    try {
      return new HostConnection({ agent, session: await remote.open(agent), remote, holder });
    } catch (error) {
      await agent.close();
      throw error;
    }
  }

  get configOptions(): readonly SessionConfigOption[] | undefined {
    return this.session.configOptions?.list;
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    await this.session.configOptions?.set(id, value);
  }

  async prompt(content: readonly ContentBlock[], signal: AbortSignal): Promise<Omit<TurnEnd, 'turnId'>> {
    const turn = this.session.prompt(content);
    const cancel = (): void => void turn.cancel().catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const { stopReason, _meta: meta } = await turn.result;
      const { decisions, stopped } = turnwireMeta<'session/prompt answer'>(meta);
      return { stopReason, ...(meta && { meta }), ...(decisions && { decisions }), ...(stopped && { stopped }) };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** The message of an error for the user. */
  explain(error: unknown): string {
    return explain(this.hasEnded(error) ? hostEnded(this.holder) : gatewayError(error), this.agent);
  }

  /** Whether the session host is gone. Errors of the agent arrive as answers instead. */
  hasEnded(error: unknown): boolean {
    return error instanceof TurnwireError && error.code === 'connection-closed';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close();
  }
}

/** Connects to the host of a session. Resolves with undefined without a host. */
export async function connectIfHosted(
  place: HostedPlace,
  connecting: HostConnecting,
): Promise<HostConnection | undefined> {
  const { sessions, record } = place;
  for (const started = Date.now(); ; await pause(betweenAttempts)) {
    const holder = await lockHolder<HostDetails | undefined>(sessions.lockOf(record.id));
    if (!holder) return undefined;
    const { pid, details } = holder;
    // A command that closes or deletes the session holds the lock without details.
    const connection =
      details && (await HostConnection.to({ ...holder, details }, place, connecting).catch(undefinedIfNotThere));
    if (connection) return connection;
    if (Date.now() - started > hostTimeout)
      throw new Error(`process ${pid} hosts the session but does not answer; end it with: kill ${pid}`);
  }
}

/** Connects to the host of a session, and starts it if necessary. */
export async function connectToHost(
  place: HostedPlace,
  connecting: HostConnecting & { readonly start: () => Promise<HostStart> },
): Promise<HostConnection> {
  for (const started = Date.now(); ;) {
    const connection = await connectIfHosted(place, connecting);
    if (connection) return connection;
    const news = await startHost(await connecting.start(), place.sessions.folderOf(place.record.id));
    if (news.type === 'failed') throw new Error(news.message);
    if (news.type === 'listening') for (const warning of news.warnings) warn(warning);
    if (Date.now() - started > hostTimeout)
      throw new Error('the host process of the session ends right after it starts');
  }
}

function hostEnded({ pid }: LockHolder): TurnwireError {
  const message = `the host process of the session (${pid}) ended. The session is stored: run the command again`;
  return new TurnwireError('connection-closed', message);
}

/** Returns undefined if no session host listens yet or any longer; throws other errors. */
function undefinedIfNotThere(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'connection-closed'].includes(String(code))) throw error;
}

/**
 * Starts a session host, which outlives this process. Resolves when it listens, or has found that another
 * process hosts the session; rejects with the reason otherwise.
 */
async function startHost(start: HostStart, sessionFolder: string): Promise<HostNews> {
  const logPath = join(sessionFolder, 'host.log');
  await using log = await open(logPath, 'a', 0o600);
  const [file, ...words] = ownCommand(hostCommand);
  const child = spawn(file, words, {
    detached: true,
    // Not the caller's folder: it could not be unmounted or deleted while the session host runs.
    cwd: sessionFolder,
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
    windowsHide: true,
  });
  try {
    return await new Promise<HostNews>((resolve, reject) => {
      child.once('message', (news) => resolve(news as HostNews));
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`the host process of the session ended with ${signal ?? code}; see ${logPath}`)),
      );
      child.send(start, (error) => error && reject(error));
    });
  } finally {
    if (child.connected) child.disconnect();
    child.removeAllListeners('error').on('error', () => undefined);
    child.unref();
  }
}
