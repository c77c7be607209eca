import { isIP, type Socket } from 'node:net';
import { connect, type PeerCertificate, rootCertificates, type TLSSocket } from 'node:tls';
import type { Finding } from '../finding.ts';
import { reasonOf } from '../reason.ts';

/** The number of days before its expiry at which a certificate causes a warning. */
const soon = 14;
const day = 24 * 60 * 60 * 1000;
/** The timeout of the handshake, in milliseconds. */
const handshakeTimeout = 10_000;

/** Encrypts a connection, and examines the certificate of the other end, trusted or not. Ends the connection. */
export async function examineCertificate(wire: Socket, host: string, ca: string | undefined): Promise<Finding> {
  const encrypted = connect({
    socket: wire,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ALPNProtocols: ['h2', 'http/1.1'],
    // Invalid certificates are examined too, and no data is sent.
    rejectUnauthorized: false,
  });
  try {
    await handshake(encrypted, wire);
    return certificateFinding(encrypted, host);
  } catch (error) {
    const { reason = reasonOf(error) } = error as { readonly reason?: string };
    return {
      layer: 'tls',
      verdict: 'failed',
      message: `It does not speak TLS there: ${reason}.`,
      advice:
        'Check the port. A server without encryption is reached by ws:// or http://, on another machine with --insecure.',
    };
  } finally {
    encrypted.destroy();
    wire.destroy();
  }
}

function handshake(encrypted: TLSSocket, wire: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the handshake got no answer')), handshakeTimeout);
    encrypted.once('secureConnect', () => {
      clearTimeout(late);
      resolve();
    });
    for (const socket of [encrypted, wire])
      socket.on('error', (error: Error) => {
        clearTimeout(late);
        reject(error);
      });
    encrypted.once('close', () => reject(new Error('the connection was closed during the handshake')));
  });
}

function certificateFinding(encrypted: TLSSocket, host: string): Finding {
  const certificate = encrypted.getPeerCertificate();
  const { subjectaltname: names = '', valid_to: until } = certificate;
  const protocol = encrypted.getProtocol() ?? 'TLS';
  const issuer = issuerOf(certificate);
  const facts = `The certificate is for ${names === '' ? 'no name' : namesIn(names)}, by ${issuer}, until ${dayOf(until)}.`;
  const details = { protocol, alpn: encrypted.alpnProtocol || null, names, issuer, until };
  const why = encrypted.authorizationError as unknown;
  if (!encrypted.authorized) {
    const code = typeof why === 'string' ? why : String((why as NodeJS.ErrnoException | null)?.code ?? why);
    return {
      layer: 'tls',
      verdict: 'failed',
      message: `${problemOf(code, host)} ${facts}`,
      advice: adviceFor(code),
      details,
    };
  }
  const left = Math.floor((Date.parse(until) - Date.now()) / day);
  const http = encrypted.alpnProtocol === 'h2' ? ', HTTP/2' : '';
  const message = `It speaks ${protocol}${http}. ${facts}`;
  if (left >= soon) return { layer: 'tls', verdict: 'ok', message, details };
  const advice = `It expires in ${left} days: the operator of the server has to renew it.`;
  return { layer: 'tls', verdict: 'warning', message, advice, details };
}

function namesIn(names: string): string {
  return names.replaceAll(/\b(?:DNS|IP Address):/g, '');
}

function issuerOf({ issuer }: PeerCertificate): string {
  const [name] = [issuer?.O, issuer?.CN].flat().filter((each) => each !== undefined);
  return name ?? 'an authority without a name';
}

function dayOf(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : new Date(time).toISOString().slice(0, 10);
}

function problemOf(code: string, host: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'The certificate has expired.';
  if (code === 'CERT_NOT_YET_VALID') return 'The certificate is not valid yet.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate is not for ${host}.`;
  return `The certificate was not issued by an authority that is trusted here (${code}).`;
}

function adviceFor(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'The operator of the server has to renew it.';
  if (code === 'CERT_NOT_YET_VALID') return 'Check the clock of this machine.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Use a host name for which it is.';
  return 'If you know the authority, name the file with its certificate in NODE_EXTRA_CA_CERTS. If not, someone may be intercepting the connection.';
}
