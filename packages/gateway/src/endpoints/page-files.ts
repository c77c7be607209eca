import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { undefinedIfMissing } from '@turnwire/machine';

/** A file for an HTTP answer. */
export interface PageFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request for a file. */
export interface PageVisitor {
  /** The accepted `Host` of the request. */
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

/** Allowed file paths: letters, digits, `.`, `_` and `-`, at most one folder deep; no name starts with a dot. */
const path = /^\/(?:[\w-][\w.-]*\/)?[\w-][\w.-]*\.\w+$/;

/** The files of the web client. They are not secret: access is checked when the page connects. */
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
    // Missing files are not cached, because clients can invent any number of paths.
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
 * The security policy of the page: it may run its own scripts, connect to this server only, show images from this server only, and not be framed.
 * Trusted Types make the browser block script injection through text.
 */
function policy(host: string): Readonly<Record<string, string>> {
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    // Some browsers do not count WebSockets of the same origin as 'self'.
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
