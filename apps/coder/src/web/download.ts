import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { LookupAddress } from 'node:dns';
import { ToolError } from '../tool-error.ts';

/** The result of one request: a document, or a redirect. */
export type Reply =
  | { readonly redirect: URL }
  | {
      readonly status: number;
      /** The content type in lower case, without parameters; empty if missing. */
      readonly type: string;
      /** The charset of the content type. */
      readonly charset: string | undefined;
      /** The announced length, before decompression. */
      readonly announced: number | undefined;
      readonly body: Uint8Array;
      /** Whether there is more than the limit. */
      readonly isCut: boolean;
    };

/** One request. */
export interface Download {
  readonly url: URL;
  /** The resolved addresses of the host. Connections go only to these, even if the name resolves differently later. */
  readonly addresses: readonly LookupAddress[];
  /** The limit in bytes, on the wire and decompressed. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Whether the body of such a document is wanted; if not, it is not read. */
  readonly wants: (type: string) => boolean;
}

/** Fetches one document, without following redirects. @throws ToolError if that fails; the signal's reason if it aborts */
export async function download({ url, addresses, limit, signal, wants }: Download): Promise<Reply> {
  try {
    const response = await send(url, addresses, signal);
    const next = redirectOf(url, response);
    if (next) {
      response.destroy();
      return { redirect: next };
    }
    const { type, charset } = contentType(response);
    const announced = Number(response.headers['content-length']);
    const { body, isCut } = wants(type) ? await read(response, limit) : leave(response);
    return {
      status: response.statusCode ?? 0,
      type,
      charset,
      announced: Number.isSafeInteger(announced) ? announced : undefined,
      body,
      isCut,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError) throw error;
    throw new ToolError(`${url.host} could not be read: ${reasonOf(error)}.`);
  }
}

const headers = {
  'user-agent': 'turnwire-coder/0.1.0',
  accept: 'text/markdown, text/html;q=0.9, application/json;q=0.9, text/*;q=0.8, image/*;q=0.5, */*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en, *;q=0.5',
};

function send(url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, signal, agent: false, lookup: pinned(addresses), maxHeaderSize: 64 * 1024 });
    sent.once('response', resolve);
    sent.once('error', reject);
    // A protocol upgrade is not a document.
    sent.once('upgrade', (_, socket) => socket.destroy(new Error('it switched to another protocol')));
    sent.end();
  });
}

/** Returns the resolved addresses instead of resolving again: a name may resolve differently by then. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

function redirectOf(url: URL, { statusCode, headers: { location } }: IncomingMessage): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0) || location === undefined) return undefined;
  if (!URL.canParse(location, url.href)) throw new ToolError(`${url.host} redirects to an invalid address.`);
  return new URL(location, url);
}

async function read(response: IncomingMessage, limit: number): Promise<{ body: Uint8Array; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decompressed(response, limit)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  response.destroy();
  return { body: Buffer.concat(chunks).subarray(0, limit), isCut: size > limit };
}

function leave(response: IncomingMessage): { body: Uint8Array; isCut: boolean } {
  response.destroy();
  return { body: new Uint8Array(), isCut: false };
}

/** The decompressed body. It is never held as a whole, so that a decompression bomb is cut at the limit. */
function decompressed(response: IncomingMessage, limit: number): AsyncIterable<Buffer> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpack = encoding === 'identity' || encoding === '' ? undefined : unpackers[encoding];
  if (!unpack && encoding !== 'identity' && encoding !== '')
    throw new ToolError(`It is encoded as ${encoding}, which cannot be read here.`);
  if (!unpack) return upTo(response, limit);
  const unpacker = unpack();
  // Errors reach the reader through the last stream.
  pipeline(upTo(response, limit), unpacker, () => undefined);
  return unpacker;
}

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** A compressed stream may decompress to nothing, endlessly. */
async function* upTo(response: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    yield chunk;
    size += chunk.length;
    if (size > limit) return;
  }
}

function contentType({ headers }: IncomingMessage): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^\s"]+)"?\s*$/i.exec(each)?.[1]).find(Boolean);
  return { type: type.trim().toLowerCase(), charset };
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
