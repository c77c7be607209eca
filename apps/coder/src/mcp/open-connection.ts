import { pathToFileURL } from 'node:url';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ElicitRequest, ElicitResult, Transport } from '@modelcontextprotocol/client';
import type { UserQuestion } from '@turnwire/agent';
import { unlessAborted } from '@turnwire/machine/waits';
import { serverFetch } from './server-fetch.ts';
import { ChildTransport } from './child-transport.ts';
import { Connection, type ConnectionHost } from './connection.ts';
import { failureReason } from './failure-reason.ts';
import { isRemote } from './known-server.ts';
import { logLines } from './log-lines.ts';
import type { McpServerStdio } from '@turnwire/protocol';
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';

/** The client info we send to servers. */
export const clientInfo: { readonly name: string; readonly title: string; readonly version: string } = {
  name: 'turnwire-coder',
  title: 'Turnwire Coder',
  version: '0.1.0',
};

/**
 * Connects to a server, and lists what it offers. Rejects with an error whose message is the reason, for the user.
 * @param signal aborts the attempt; started processes are ended
 */
export async function openConnection(host: ConnectionHost, signal: AbortSignal): Promise<Connection> {
  const transport = transportTo(host);
  const client = clientFor(host);
  try {
    await unlessAborted(client.connect(transport, { signal, timeout: longest }), signal);
    const connection = new Connection({ client, transport }, host);
    await unlessAborted(connection.list(signal), signal);
    watch(client, transport, { host, connection });
    return connection;
  } catch (error) {
    // The reason is read first: closing the connection would replace it.
    const reason = connectReason(error, { transport, host });
    await transport.close().catch(() => undefined);
    throw new Error(reason, { cause: error });
  }
}

/** The longest delay of a timer, since callers have their own limits. */
const longest: number = 2 ** 31 - 1;

function transportTo({ server, cwd, env, log }: ConnectionHost): ChildTransport | RemoteTransport {
  if (!isRemote(server)) {
    const { command, args } = server;
    return new ChildTransport({ command, args, cwd, env: serverEnvironment(server, env), stderr: log });
  }
  const requestInit = { headers: server.headers.map(({ name, value }): [string, string] => [name, value]) };
  const url = new URL(server.url);
  const options = { requestInit, fetch: serverFetch(url) };
  return server.type === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}

type RemoteTransport = SSEClientTransport | StreamableHTTPClientTransport;

function clientFor(host: ConnectionHost): Client {
  const { asks, roots, log } = host;
  const elicitation = { ...(asks.form && { form: {} }), ...(asks.url && { url: {} }) };
  const canAsk = asks.form || asks.url;
  const client = new Client(clientInfo, { capabilities: { roots: {}, ...(canAsk && { elicitation }) } });
  client.setRequestHandler('roots/list', () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    log.write(Buffer.from(`[${level}]${logger === undefined ? '' : ` ${logger}:`} ${text}\n`));
  });
  if (canAsk) passQuestions(client, host);
  return client;
}

/** Questions of a server go to the user, with the server's name. */
function passQuestions(client: Client, { server, ask }: ConnectionHost): void {
  const visits = new Map<string, () => Promise<void>>();
  client.setRequestHandler('elicitation/create', async ({ params }): Promise<ElicitResult> => {
    const answer = await ask(questionOf(server.name, params));
    if (answer?.outcome !== 'answered') return { action: answer?.outcome === 'cancelled' ? 'cancel' : 'decline' };
    if (params.mode !== 'url') return { action: 'accept', content: { ...answer.values } as ElicitResult['content'] };
    visits.set(params.elicitationId, () => answer.completed());
    return { action: 'accept' };
  });
  client.setNotificationHandler('notifications/elicitation/complete', async ({ params: { elicitationId } }) => {
    await visits.get(elicitationId)?.();
    visits.delete(elicitationId);
  });
}

function questionOf(name: string, params: ElicitRequest['params']): UserQuestion {
  const message = `The MCP server ${name} asks: ${params.message}`;
  if (params.mode === 'url') return { message, url: params.url };
  return { message, form: params.requestedSchema };
}

/** Reports when the connection is lost. */
function watch(
  client: Client,
  transport: Transport,
  { host, connection }: { readonly host: ConnectionHost; readonly connection: Connection },
): void {
  const lost = (reason: string): void => {
    if (connection.isClosed) return;
    void connection.close();
    host.lost(reason);
  };
  client.onclose = () => lost(endingOf(transport) ?? 'it closed the connection');
  client.onerror = (error) => {
    // The stream of the older transport reconnects by itself, to a server without this session.
    if (error.name === 'SseError' || 'event' in error) lost('its stream of events broke off');
  };
}

function endingOf(transport: Transport): string | undefined {
  if (!(transport instanceof ChildTransport) || transport.ending === undefined) return undefined;
  return transport.ending.startsWith('it ') ? transport.ending : `it ended with ${transport.ending}`;
}

function connectReason(
  error: unknown,
  { transport, host }: { readonly transport: Transport; readonly host: ConnectionHost },
): string {
  const printed = transport instanceof ChildTransport ? printedBy(host) : '';
  const ending = endingOf(transport);
  if (ending !== undefined) return `${ending}.${printed || ' Check its command in the configuration.'}`;
  const strays =
    transport instanceof ChildTransport && transport.strayLines > 0
      ? ' It prints lines to stdout that are not messages; only messages are allowed there.'
      : '';
  const reason = failureReason(error, host.server);
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'}${strays}${printed}`;
}

function printedBy({ log }: ConnectionHost): string {
  const lines = logLines(log, 5);
  return lines.length === 0 ? '' : ` The end of its output:\n${lines.join('\n')}`;
}

const further: readonly string[] = ['LANG', 'LC_ALL', 'TMPDIR', 'TZ'];

/**
 * The environment of a server: the variables that the MCP library passes on, language and temporary folder, then those of its
 * configuration. Keys of model providers and other variables are not inherited.
 */
function serverEnvironment(
  { env }: McpServerStdio,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inherited = [...DEFAULT_INHERITED_ENV_VARS, ...further].flatMap((name) => {
    const value = own[name];
    // Exported shell functions are stored in variables, too.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...inherited, ...env.map(({ name, value }) => [name, value] as const)]);
}
