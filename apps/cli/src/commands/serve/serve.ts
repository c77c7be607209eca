import { appendFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readOwnFile } from '@turnwire/machine';
import { pause } from '@turnwire/machine/waits';
import { TurnwireError } from '@turnwire/protocol';
import type { FrameTap } from '@turnwire/client';
import { TenantUse, TokenIssuer } from '@turnwire/cluster';
import { Gateway, PageLoginFile, TokenFile } from '@turnwire/gateway';
import { type HostedAgent, type SessionLimits, StoreError } from '@turnwire/runtime';
import { type HttpServer, openHttpServer, openSocketServer, type SocketServer } from '@turnwire/gateway/endpoints';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import { hostedAgent } from '../../sessions/hosted-agent.ts';
import { refuseTurnOptions, sessionDefaults } from '../../sessions/session-defaults.ts';
import { spendingOf, withTenantLimits } from '../../sessions/metering.ts';
import { sessionRules } from '../../sessions/session-rules.ts';
import { TraceFiles, tracedAgent } from '../../sessions/traced-agent.ts';
import { ownPlaces } from '../../own-places/own-places.ts';
import { turnRecorder } from '../../sessions/turn-recorder.ts';
import type { GlobalOptions } from '../../options.ts';
import { Stopping } from '../../stopping.ts';
import { stderr, stdout } from '../../terminal/output.ts';
import { type AuditLog, openAudit } from './audit-file.ts';
import { webClient } from './web-client.ts';
import { admitSession } from './admit-session.ts';
import { gatewayMetrics } from './gateway-metrics.ts';
import { pageLoginsFile, tokensFile } from './server-files.ts';
import { localTenant } from '../../store/named-session.ts';
import { QuotaFile } from './quota-file.ts';
import { type ServerStore, type StoreArguments, databaseOf, sessionStore } from './session-store.ts';
import type { ListenAddress } from './listen-address.ts';
import { sandboxed } from './sandboxed.ts';
import { announceServer, forgetKilledServers } from './running-servers.ts';
import { type ServedAgent, servedAgents } from './served-agents.ts';
import { telemetryOf } from './telemetry/telemetry.ts';
import { version } from '../../version.ts';

/** The arguments of `serve`. */
export interface ServeArguments extends Omit<StoreArguments, 'store'> {
  /** Names or commands of agents. */
  readonly agents: readonly string[];
  readonly listen?: ListenAddress;
  /** Absolute paths. Default: the current folder. */
  readonly root: readonly string[];
  readonly json?: true;
  readonly hostName: readonly string[];
  readonly origin: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** The issuer of accepted JWTs, their audience, and the location of the issuer's keys: a path or a URL. */
  readonly issuer?: string;
  readonly audience?: string;
  readonly jwks?: string;
  readonly allowMcpServers?: true;
  /** The address of a database. Default: a file of this user. */
  readonly store?: string;
  /** The maximum number of sessions of a tenant with a running agent. */
  readonly maxAgents: number;
  /** The absolute path of a file with the quotas of tenants. */
  readonly quotas?: string;
  /** The audit log: an absolute path, or `-` for stderr. */
  readonly audit?: string;
  /** Whether to write the audit log to the database. */
  readonly auditStore?: true;
  readonly sandbox?: true;
  /** Files and folders in home folders that agents in a sandbox may read. */
  readonly sandboxRead: readonly string[];
  /** Further folders that agents in a sandbox may write to. */
  readonly sandboxWrite: readonly string[];
  /** Called with the login address of the web client instead of printing how to connect. */
  readonly onWeb?: (address: string) => void;
}

/** How long running turns may continue during shutdown, in milliseconds. */
const drainTime = 30_000;

/** Serves agents to any number of clients until a signal. Resolves with the exit code. */
export async function serve(args: ServeArguments, options: GlobalOptions): Promise<number> {
  refuseTurnOptions('serve', options);
  const roots = args.root.length > 0 ? args.root : [options.cwd];
  const defaults = await sessionDefaults(options);
  const admitted = admitSession({ roots, mcpServers: args.allowMcpServers === true });
  const agents = await servedAgents(args.agents, options);
  const hosted = await servedHosts(agents, { args, options, roots });
  using stopping = new Stopping(undefined);
  const isStoreCounted = databaseOf(args) !== undefined;
  using quotas = new QuotaFile({ path: args.quotas, always: { agents: args.maxAgents }, isStoreCounted });
  const spending = spendingOf(options.config);
  const names = agents.map(({ name }) => name);
  // Connecting to an unreachable database is retried for a minute.
  const opened = await stopping.unlessStopped(sessionStore(args, { agents: names, roots }).catch(asUsage));
  if (!opened) return exitCodes.ok;
  const { store, node } = opened;
  const audit = auditOf(args, node);
  const telemetry = telemetryOf(process.env, { version: version(), warn: warn });
  const use: TenantUse = new TenantUse({
    quotas: { of: (tenant) => quotas.of(tenant), ...(node && { elsewhere: (tenant) => node.usedElsewhere(tenant) }) },
    stored: store.use?.bind(store),
    agents: (tenant) => gateway.agentsOf(tenant),
  });
  const gateway = new Gateway({
    store,
    node,
    audit: audit.length > 0 ? (entry) => audit.forEach((each) => each.add(entry)) : undefined,
    observe: telemetry?.observe,
    agents: hosted,
    cwd: roots[0] as string,
    admit: (wanted, principal) => defaults(admitted(wanted, principal)),
    limits: idleLimit(options),
    recorder: turnRecorder(options.config),
    placeOf: (cwd) => ownPlaces().at(cwd),
    quotas: use,
    metering: { spending: ({ tenant }) => withTenantLimits(spending, quotas.of(tenant).budgets) },
    rules: sessionRules(options.permission, {
      differences: (name) => agents.find((agent) => agent.name === name)?.command.differences,
      ...(options.verbose && { warn: warn }),
    }),
  });
  report({ gateway, use }, { to: node, signal: stopping.signal });
  try {
    const server = await Server.open(gateway, { args, agents, roots, audit, node, use, signal: stopping.signal });
    await server.ended(stopping.signal);
  } catch (error) {
    asUsage(error);
  } finally {
    await gateway.close();
    await Promise.all([...audit, ...(telemetry ? [telemetry] : [])].map((each) => each.close()));
    await (node?.leave() ?? store.close());
  }
  return exitCodes.ok;
}

/** Reports the state of this server to the other servers of its database, if it has one. */
function report(
  { gateway, use }: { readonly gateway: Gateway; readonly use: TenantUse },
  { to, signal }: { readonly to: ServerStore['node']; readonly signal: AbortSignal },
): void {
  if (!to) return;
  to.reportFrom(() => {
    const { connections: clients, sessions, agents: awake, working } = gateway;
    return { clients, sessions, awake, working, isDraining: signal.aborted };
  });
  to.shareUse(() => use.figures);
}

/** The audit logs of the options. */
function auditOf({ audit, auditStore }: ServeArguments, node: ServerStore['node']): readonly AuditLog[] {
  if (auditStore && !node) throw new CommandError('--audit-store needs a database: give --store', exitCodes.usage);
  const lost = (reason: string): void => warn(`audit entries are lost: ${reason}`);
  return [...(audit === undefined ? [] : [openAudit(audit)]), ...(auditStore && node ? [node.auditTable(lost)] : [])];
}

/** Turns an error of the store or the transport into a usage error, because the user has to change the command line. */
function asUsage(error: unknown): never {
  if (!(error instanceof TurnwireError || error instanceof StoreError)) throw error;
  throw new CommandError(error.message, exitCodes.usage);
}

/** The agents as the gateway starts them, by name. */
async function servedHosts(
  agents: readonly ServedAgent[],
  {
    args,
    options,
    roots,
  }: { readonly args: ServeArguments; readonly options: GlobalOptions; readonly roots: readonly string[] },
): Promise<Readonly<Record<string, HostedAgent>>> {
  const { fs: files, terminal, auth, authPolicy, trace, addDir } = options;
  // Terminals of the gateway would run outside the agent's sandbox.
  const settings = { files, terminals: terminal && !args.sandbox, auth, authPolicy, showsLogins: true };
  const traces = trace === undefined ? undefined : new TraceFiles(trace);
  const paths = {
    writable: [...roots, ...addDir, ...args.sandboxWrite],
    readable: args.sandboxRead,
    secret: [args.clusterSecret, args.tlsKey, args.quotas, args.audit].filter((path) => path !== undefined),
    // The folder, because each agent start adds a trace file, and full files are renamed.
    secretFolders: trace === undefined ? [] : [dirname(resolve(trace))],
  };
  // The sandbox can only hide a file that exists.
  if (args.sandbox && args.audit !== undefined && args.audit !== '-') await appendFile(args.audit, '', { mode: 0o600 });
  const hosts = agents.map(async ({ name, command }) => {
    const started = args.sandbox ? await sandboxed(command, paths) : command;
    const make = (tap?: FrameTap): HostedAgent => hostedAgent(started, { ...settings, tap });
    return [name, tracedAgent(make, { files: traces, env: command.env })] as const;
  });
  return Object.fromEntries(await Promise.all(hosts));
}

/** The time limit for an agent without clients. */
function idleLimit({ ttl }: Pick<GlobalOptions, 'ttl'>): Partial<SessionLimits> {
  return ttl === undefined ? {} : { idle: ttl === 0 ? Infinity : ttl * 1000 };
}

interface ServerParts {
  readonly args: ServeArguments;
  readonly agents: readonly ServedAgent[];
  readonly roots: readonly string[];
  readonly audit: readonly AuditLog[];
  readonly node: ServerStore['node'];
  readonly use: TenantUse;
  readonly signal: AbortSignal;
}

/** A listening server, and its published description. */
class Server {
  readonly #gateway: Gateway;
  readonly #parts: ServerParts;
  readonly #front: HttpServer | SocketServer;
  readonly #retract: () => Promise<void>;

  private constructor(
    gateway: Gateway,
    parts: ServerParts,
    { front, retract }: { readonly front: HttpServer | SocketServer; readonly retract: () => Promise<void> },
  ) {
    this.#gateway = gateway;
    this.#parts = parts;
    this.#front = front;
    this.#retract = retract;
  }

  static async open(gateway: Gateway, parts: ServerParts): Promise<Server> {
    const { listen = { host: '127.0.0.1', port: 0 } } = parts.args;
    return 'path' in listen ? this.#onSocket(gateway, parts, listen) : this.#onHttp(gateway, parts, listen);
  }

  /** Waits for the signal, then shuts down. Running turns may continue up to {@link drainTime}. */
  async ended(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    const { working } = this.#gateway;
    if (working > 0) {
      const turns = working === 1 ? 'a running turn' : `${working} running turns`;
      warn(`waiting up to ${drainTime / 1000} s for ${turns}; press Ctrl-C to exit now`);
    }
    await this.#drain();
    await this.#retract();
    await this.#front.close();
  }

  /** Waits for running turns. In a cluster, other servers take over the sessions with their queued prompts. */
  async #drain(): Promise<void> {
    if (this.#parts.node?.handOver) return this.#gateway.drain(drainTime);
    const until = Date.now() + drainTime;
    while (this.#gateway.working > 0 && Date.now() < until) await pause(50);
  }

  static async #onHttp(
    gateway: Gateway,
    parts: ServerParts,
    { host, port }: { readonly host: string; readonly port: number },
  ): Promise<Server> {
    const { args, agents, roots, audit, node, use, signal } = parts;
    refuseExposed(host, args);
    const names = agents.map(({ name }) => name);
    const tokens = new TokenFile(tokensFile());
    await forgetKilledServers(async ({ tokenId }) => tokenId === undefined || tokens.revoke(tokenId));
    const label = `turnwire serve, process ${process.pid}`;
    const { token, record } = await tokens.create({ label, tenant: localTenant, scope: 'admin', expiresAt: null });
    const front = await openHttpServer(
      {
        host,
        port,
        tokens,
        serverToken: record.id,
        hasSession: (tenant, id) => gateway.has(tenant, id),
        agents: names,
        origins: args.origin,
        issuer: issuerOf(args),
        pageTokens: node?.pageTokens ?? new PageLoginFile(pageLoginsFile()),
        web: webClient(roots),
        ...(args.hostName.length > 0 && { hosts: args.hostName }),
        ...tlsOf(args),
        onRefused: (address) => audit.forEach((each) => each.add({ at: Date.now(), what: 'refused', address })),
        isReady: () => !signal.aborted,
        metrics: ({ tenant }) => gatewayMetrics(gateway, { node, tenants: use.figures, tenant }),
        links: node?.links(new URL(args.advertise ?? `http://${hostText(host)}`).hostname),
      },
      (transport, to) => gateway.attach(transport, to),
    ).catch(async (error: unknown) => {
      await tokens.revoke(record.id);
      throw error;
    });
    const url = new URL(front.url).origin;
    const acp = front.webSocketUrl;
    await node?.announce(args.advertise ?? url, url);
    const owner = await tokens.principalOf(token);
    const web = owner && (await front.pageFor(owner));
    const withdraw = await announceServer({ url, acp, token, tokenId: record.id, agents: names, roots });
    printListening(args, { url, acp, token, web });
    const retract = async (): Promise<void> => {
      await withdraw();
      await tokens.revoke(record.id);
    };
    return new Server(gateway, parts, { front, retract });
  }

  static async #onSocket(gateway: Gateway, parts: ServerParts, { path }: { readonly path: string }): Promise<Server> {
    const { args, agents, roots } = parts;
    const [first] = agents;
    if (!first || agents.length > 1)
      throw new CommandError('a Unix socket leads to one agent: name one', exitCodes.usage);
    const principal = { tenant: localTenant, scope: 'admin', isOwner: true } as const;
    const front = await openSocketServer({ path, principal, agent: first.name }, (transport, to) =>
      gateway.attach(transport, to),
    );
    const withdraw = await announceServer({ socket: path, agents: [first.name], roots });
    if (args.json) stdout.printJson(JSON.stringify({ socket: path, pid: process.pid }));
    stderr.printLine(`listening at unix:${path}`);
    return new Server(gateway, parts, { front, retract: withdraw });
  }
}

/** Refuses to listen for other machines without a certificate and a host name. Throws CommandError, exit code 2. */
function refuseExposed(host: string, { hostName, tlsCert, tlsKey }: ServeArguments): void {
  if (/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)) return;
  const lacking = [
    ...(tlsCert === undefined ? ['--tls-cert FILE'] : []),
    ...(tlsKey === undefined ? ['--tls-key FILE'] : []),
    ...(hostName.length === 0 ? ['--host-name NAME'] : []),
  ];
  if (lacking.length === 0) return;
  const message = `${host} is reachable from other machines: add ${lacking.join(', ')}. A Unix socket or 127.0.0.1 does not need them`;
  throw new CommandError(message, exitCodes.usage);
}

function issuerOf({ issuer, audience, jwks }: ServeArguments): TokenIssuer | undefined {
  if (issuer === undefined && audience === undefined && jwks === undefined) return undefined;
  if (issuer === undefined || audience === undefined || jwks === undefined)
    throw new CommandError('give all of --issuer, --audience and --jwks', exitCodes.usage);
  return new TokenIssuer({ issuer, audience, keys: jwks });
}

function tlsOf({ tlsCert, tlsKey }: ServeArguments): {
  readonly tls?: { readonly cert: string; readonly key: string };
} {
  if (tlsCert === undefined && tlsKey === undefined) return {};
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandError('give both --tls-cert and --tls-key', exitCodes.usage);
  return { tls: { cert: fileText(tlsCert), key: fileText(tlsKey) } };
}

/** A host in the form for a URL. */
function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function fileText(path: string): string {
  const text = readOwnFile(path);
  if (text === undefined) throw new CommandError(`there is no file ${path}`, exitCodes.usage);
  return text;
}

/** Prints the address of a server, and how to connect. */
function printListening(
  args: ServerParts['args'],
  listening: { readonly url: string; readonly acp: string; readonly token: string; readonly web: string | undefined },
): void {
  const { acp, token, web } = listening;
  if (args.json) stdout.printJson(JSON.stringify({ url: listening.url, acp, token, pid: process.pid, web }));
  stderr.printLine(`listening at ${acp}`);
  if (args.onWeb && web !== undefined) args.onWeb(web);
  else if (!args.json) for (const line of waysIn(acp, token, web)) stderr.printLine(line);
}

/** Instructions for connecting. They contain the token only at a terminal, because others may read a log. */
function waysIn(acp: string, token: string, web: string | undefined): readonly string[] {
  if (!stderr.isTerminal)
    return [`TURNWIRE_TOKEN=… turnwire --agent ${acp} chat  (turnwire serve tokens create prints a token)`];
  const page = web && `open in a browser, valid once within one minute (turnwire web creates another one): ${web}`;
  return [`TURNWIRE_TOKEN=${token} turnwire --agent ${acp} chat`, ...(page ? [page] : [])];
}
