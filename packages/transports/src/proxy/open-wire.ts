import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates, type TLSSocket } from 'node:tls';
import { TurnwireError } from '@turnwire/protocol';

/** The time limit for an answer of the proxy, and of the other end, in milliseconds. */
const timeout = 10_000;

/** Options of {@link openWire}. */
export interface OpenWireOptions {
  readonly proxy?: URL | undefined;
  /** Certificates of authorities to trust in addition to those of Node, as PEM. */
  readonly ca?: string | undefined;
  /** The ALPN protocols to offer, in order of preference. */
  readonly protocols?: readonly string[] | undefined;
}

/** Connects to the host of a URL, through a proxy if one is set, encrypted if the URL demands it. */
export async function openWire(url: URL, { proxy, ca, protocols }: OpenWireOptions): Promise<Socket | TLSSocket> {
  const isEncrypted = url.protocol === 'https:' || url.protocol === 'wss:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (isEncrypted ? 443 : 80);
  const wire = proxy ? await tunnel(proxy, `${url.hostname}:${port}`) : connect(port, host);
  wire.setNoDelay(true);
  if (!isEncrypted) {
    if (wire.connecting) await once(wire, 'connect', { signal: AbortSignal.timeout(timeout) });
    return wire;
  }
  const isName = !/^[\d.]+$|:/.test(host);
  const encrypted = connectTls({
    socket: wire,
    ...(isName && { servername: host }),
    host,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(protocols && { ALPNProtocols: [...protocols] }),
  });
  try {
    // An error before encryption is established belongs to the socket underneath.
    await Promise.race([
      once(encrypted, 'secureConnect', { signal: AbortSignal.timeout(timeout) }),
      once(wire, 'error').then(([error]) => Promise.reject(error as Error)),
    ]);
    return encrypted;
  } catch (error) {
    encrypted.destroy();
    wire.destroy();
    throw error;
  }
}

/** A tunnel through a proxy (`CONNECT`, RFC 9110 §9.3.6). */
async function tunnel(proxy: URL, target: string): Promise<Socket> {
  const { username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const connecting = request({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || 80,
    method: 'CONNECT',
    path: target,
    agent: false,
    headers: { host: target, ...(username !== '' && { 'proxy-authorization': `Basic ${credentials}` }) },
  });
  connecting.end();
  const refused = (what: string): TurnwireError =>
    new TurnwireError('connection-closed', `the proxy ${proxy.host} ${what}`);
  try {
    const connected = new Promise<Socket>((resolve, reject) => {
      connecting.once('connect', ({ statusCode = 0, statusMessage = '' }, socket: Socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(refused(`does not connect to ${target}: ${statusCode} ${statusMessage}`));
      });
      connecting.once('response', ({ statusCode = 0 }) =>
        reject(refused(`does not connect to ${target}: ${statusCode}`)),
      );
      connecting.once('error', (error) => reject(refused(`cannot be reached: ${error.message}`)));
      connecting.setTimeout(timeout, () => reject(refused('does not answer')));
    });
    const socket = await connected;
    connecting.setTimeout(0);
    socket.setTimeout(0);
    return socket;
  } catch (error) {
    connecting.destroy();
    throw error;
  }
}
