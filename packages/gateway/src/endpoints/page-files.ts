import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { undefinedIfMissing } from '@turnwire/machine';

/** A file as it is answered. */
export interface PageFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Who asks for a file. */
export interface PageVisitor {
  /** The `Host` that was asked, which was accepted. */
  readonly host: string;
  /** Whether the answer may be compressed. */
  readonly takesGzip: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** Files of the page, by their paths: letters, digits, `.`, `_` and `-`, one folder deep at most, none of which begins with a dot. */
const path = /^\/(?:[\w-][\w.-]*\/)?[\w-][\w.-]*\.\w+$/;

/** The files of the web client. Nothing in them is secret: who may do what is decided when the page connects. */
export class PageFiles {
  readonly #folder: string;
  readonly #files = new Map<string, Promise<PageFile | undefined>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file at a path, `/` being the page; undefined if there is none. */
  async at(wanted: string, { host, takesGzip }: PageVisitor): Promise<PageFile | undefined> {
    const name = wanted === '/' ? '/index.html' : wanted;
    if (!path.test(name) || types[extname(name)] === undefined) return undefined;
    const key = `${takesGzip ? 'gzip' : 'plain'} ${name}`;
    const file = this.#files.get(key) ?? this.#read(name, takesGzip);
    const found = await file;
    // What is not there is not kept: paths are made up by whoever asks.
    if (!found) return undefined;
    this.#files.set(key, file);
    return { body: found.body, headers: { ...found.headers, ...policy(host) } };
  }

  async #read(name: string, takesGzip: boolean): Promise<PageFile | undefined> {
    const text = await readFile(join(this.#folder, name)).catch(undefinedIfMissing);
    if (!text) return undefined;
    return {
      body: takesGzip ? await promisify(gzip)(text) : text,
      headers: {
        'content-type': types[extname(name)] ?? '',
        // The names in assets/ change with their content.
        'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        ...(takesGzip && { 'content-encoding': 'gzip' }),
      },
    };
  }
}

/**
 * What the page may do: run its own scripts, connect to this server alone, show pictures of no other server, and be in no frame. That text becomes an element only by way of the document's own methods is enforced by the browser too.
 */
function policy(host: string): Readonly<Record<string, string>> {
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    // Not every browser counts WebSockets of the own origin as 'self'.
    `connect-src 'self' ws://${host} wss://${host}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types turnwire',
  ];
  return {
    'content-security-policy': rules.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}
