import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request, STATUS_CODES } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { TurnwireError } from '@turnwire/protocol';
import { nodeFetch, openWire } from '@turnwire/transports/http/node';
import type { RemoteSubject } from '../examine-options.ts';
import { type Finding, since } from '../finding.ts';
import { reasonOf } from '../reason.ts';
import { examineCertificate } from './certificate.ts';

/** The maximum length of a quotation from an answer, in characters. */
const quoted = 300;
/** The timeout of an answer, in milliseconds. */
const answerTimeout = 10_000;

/**
 * Examines the network path to an agent on another machine: its name, the connection, TLS, HTTP.
 * @returns whether all of it works
 */
export async function* examineNetwork(remote: RemoteSubject): AsyncGenerator<Finding, boolean> {
  for (const examine of [examineName, examineConnection, examineTls, examineHttp]) {
    const began = performance.now();
    const finding = await examine(remote);
    if (finding === undefined) continue;
    yield { ...finding, milliseconds: since(began) };
    if (finding.verdict === 'failed') return false;
  }
  return true;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function isEncrypted({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'wss:';
}

function addressOf(url: URL): string {
  return `${url.hostname}:${url.port || (isEncrypted(url) ? '443' : '80')}`;
}

async function examineName({ url, proxy }: RemoteSubject): Promise<Finding | undefined> {
  const host = hostOf(proxy ?? url);
  if (isIP(host) !== 0) return undefined;
  const what = proxy === undefined ? host : `The proxy ${host}`;
  try {
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
    return { layer: 'name', verdict: 'ok', message: `${what} is ${addresses.join(', ')}.`, details: { addresses } };
  } catch (error) {
    const isUnknown = (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
    return {
      layer: 'name',
      verdict: 'failed',
      message: isUnknown ? `There is no host ${host}.` : `No name server could resolve ${host}: ${reasonOf(error)}.`,
      advice: isUnknown
        ? 'Check the spelling. A name of a private network is known only there: connect to its VPN first.'
        : 'Check the network of this machine.',
    };
  }
}

async function examineConnection({ url, proxy }: RemoteSubject): Promise<Finding> {
  const address = addressOf(url);
  try {
    (await plainWire(url, proxy)).destroy();
    const through = proxy === undefined ? '' : ` through the proxy ${proxy.host}`;
    return { layer: 'connection', verdict: 'ok', message: `${address} accepts connections${through}.` };
  } catch (error) {
    return { layer: 'connection', verdict: 'failed', ...refusedConnection(error, address, proxy) };
  }
}

/** Opens a connection without encryption to the host or its proxy, on any port. */
function plainWire(url: URL, proxy: URL | undefined): Promise<Socket> {
  return openWire(new URL(`http://${addressOf(url)}`), { proxy });
}

function refusedConnection(
  error: unknown,
  address: string,
  proxy: URL | undefined,
): Pick<Finding, 'message' | 'advice'> {
  const { code, name } = error as NodeJS.ErrnoException;
  if (error instanceof TurnwireError)
    return {
      message: `${reasonOf(error).replace(/^the/, 'The')}.`,
      advice: `Check the variables HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, or list the host in NO_PROXY if it is reached without ${proxy?.host ?? 'a proxy'}.`,
    };
  if (code === 'ECONNREFUSED')
    return {
      message: `Nothing listens at ${address}.`,
      advice:
        'Start the agent there, or check the port. An agent that listens on 127.0.0.1 is reached only on its machine.',
    };
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT')
    return {
      message: `${address} does not answer.`,
      advice: 'The machine may be off, or a firewall may drop what is sent to this port.',
    };
  return {
    message: `${address} cannot be reached: ${reasonOf(error)}.`,
    advice: 'Check the network of both machines.',
  };
}

async function examineTls(remote: RemoteSubject): Promise<Finding | undefined> {
  const { url, proxy, ca } = remote;
  if (!isEncrypted(url)) return undefined;
  return examineCertificate(await plainWire(url, proxy), hostOf(url), ca);
}

async function examineHttp(remote: RemoteSubject): Promise<Finding> {
  const isSocket = remote.url.protocol.startsWith('ws');
  try {
    const answer = await (isSocket ? askForSocket(remote) : askForStream(remote));
    return httpFinding(answer, isSocket);
  } catch (error) {
    return {
      layer: 'http',
      verdict: 'failed',
      message: `It does not answer: ${reasonOf(error)}.`,
      advice: 'Something listens there that does not speak HTTP, or it is overloaded. Look at the log of the server.',
    };
  }
}

interface HttpAnswer {
  readonly status: number;
  readonly words: string;
}

/** Requests a WebSocket without using it: a server answers 101. */
async function askForSocket({ url, headers, proxy, ca }: RemoteSubject): Promise<HttpAnswer> {
  const wire = await openWire(url, { proxy, ca, protocols: ['http/1.1'] });
  const call = request({
    createConnection: () => wire,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dHVybndpcmUgZG9jdG9yIQ==',
    },
  });
  call.setTimeout(answerTimeout, () => call.destroy(new Error(`no answer came within ${answerTimeout / 1000} s`)));
  call.end();
  try {
    return await new Promise<HttpAnswer>((resolve, reject) => {
      call.once('upgrade', () => resolve({ status: 101, words: '' }));
      call.once('response', (response) => void readAnswer(response).then(resolve, reject));
      call.on('error', reject);
    });
  } finally {
    wire.destroy();
  }
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  return { status: response.statusCode ?? 0, words: (await text(response)).slice(0, quoted) };
}

/** Requests the event stream of a missing connection: a server of agents answers 400, and starts nothing. */
async function askForStream({ url, headers, proxy, ca }: RemoteSubject): Promise<HttpAnswer> {
  const signal = AbortSignal.timeout(answerTimeout);
  const send = nodeFetch({ proxy, ca });
  const response = await send(url, { headers: { ...headers, accept: 'text/event-stream' }, signal });
  return { status: response.status, words: (await response.text()).slice(0, quoted) };
}

function httpFinding({ status, words }: HttpAnswer, isSocket: boolean): Finding {
  const details = { status };
  if (isSocket ? status === 101 : status === 400)
    return {
      layer: 'http',
      verdict: 'ok',
      message: isSocket ? 'It accepts WebSockets.' : 'It speaks HTTP as an agent does.',
      details,
    };
  const said = words.trim().startsWith('<') || words.trim() === '' ? '' : `: ${words.trim()}`;
  const name = STATUS_CODES[status] ?? '';
  return {
    layer: 'http',
    verdict: 'failed',
    message: `It answered ${status}${name === '' ? '' : ` ${name}`}${said}`.replace(/\.?$/, '.'),
    advice: adviceFor(status, isSocket),
    details,
  };
}

function adviceFor(status: number, isSocket: boolean): string {
  if (status === 401) return 'It requires authentication: check the token or the headers that are sent.';
  if (status === 403)
    return 'It refuses this client: check the token or the headers that are sent, and that the server lists the host of this URL.';
  if (status === 404) return 'There is no agent at this path. Many use /acp.';
  if (status === 426) return 'It speaks WebSocket only: write ws:// or wss://.';
  if (status >= 500) return 'The server or a proxy in front of it failed. Look at its log, and try again later.';
  if (isSocket)
    return 'It does not accept WebSockets there: check the path, and whether a proxy in front of it forwards upgrades. http:// or https:// may work.';
  return 'Something other than an agent answers there: check the host, the port and the path.';
}
