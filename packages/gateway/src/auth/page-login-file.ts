import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile, withLock } from '@turnwire/machine';
import {
  type StoredPageToken,
  loginsOf,
  MemoryPageTokens,
  maxPageTokens,
  type PageGrant,
  type PageTokenStore,
  type PageTokenKind,
} from './page-token-store.ts';
import { digestOf, matching } from './secret.ts';

type TimedGrant = PageGrant & { readonly time: number };

/** Keeps tickets in memory, and page logins in a file that only its owner can read: pages stay logged in when the server restarts. */
export class PageLoginFile implements PageTokenStore {
  readonly #path: string;
  readonly #tickets: MemoryPageTokens;
  readonly #now: () => number;
  #pages: readonly StoredPageToken[] = [];
  /** Inode, size and modification time of the file when it was read. */
  #state: string | undefined;

  /**
   * @param path absolute. The first login creates the file and its folder
   * @param now milliseconds since 1970. Default: the clock
   */
  constructor(path: string, now: () => number = Date.now) {
    this.#path = path;
    this.#tickets = new MemoryPageTokens(now);
    this.#now = now;
  }

  async add(kind: PageTokenKind, secret: string, { time, ...grant }: TimedGrant): Promise<void> {
    if (kind === 'ticket') return this.#tickets.add(kind, secret, { time, ...grant });
    const page = { ...grant, digest: digestOf(secret), expiresAt: this.#now() + time };
    await this.#change((pages) => [...pages.slice(1 - maxPageTokens), page]);
  }

  async find(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    if (kind === 'ticket') return this.#tickets.find(kind, secret);
    const found = matching(await this.#current(), secret);
    return found && found.expiresAt > this.#now() ? found : undefined;
  }

  async take(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    if (kind === 'ticket') return this.#tickets.take(kind, secret);
    const found = await this.find(kind, secret);
    if (found) await this.end(digestOf(secret));
    return found;
  }

  async logins(tenant: string): Promise<readonly StoredPageToken[]> {
    return loginsOf(await this.#current(), tenant, this.#now());
  }

  async end(digest: string): Promise<void> {
    await this.#change((pages) => pages.filter((each) => each.digest !== digest));
  }

  /** Uses a lock, because servers on several ports share the file. */
  async #change(change: (pages: readonly StoredPageToken[]) => readonly StoredPageToken[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await withLock(`${this.#path}.lock`, async () => {
      const pages = change((await this.#read()).filter(({ expiresAt }) => expiresAt > this.#now()));
      await replaceFile(this.#path, `${JSON.stringify({ version: 1, pages }, null, 2)}\n`);
    });
  }

  /** Reads the file if it has changed: another server may have logged a page out. */
  async #current(): Promise<readonly StoredPageToken[]> {
    const found = await stat(this.#path, { bigint: true }).catch(() => undefined);
    const state = found && `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (state === this.#state) return this.#pages;
    this.#pages = await this.#read();
    this.#state = state;
    return this.#pages;
  }

  /** A missing or damaged file counts as empty: its pages log in again. */
  async #read(): Promise<readonly StoredPageToken[]> {
    try {
      const { version, pages } = JSON.parse(await readFile(this.#path, 'utf8')) as Record<string, unknown>;
      return version === 1 && Array.isArray(pages) ? pages.filter((page) => isStoredPageToken(page)) : [];
    } catch {
      return [];
    }
  }
}

function isStoredPageToken(value: unknown): value is StoredPageToken {
  const { digest, origin, expiresAt, owner } = (value ?? {}) as Partial<Record<keyof StoredPageToken, unknown>>;
  return (
    /^[0-9a-f]{64}$/.test(String(digest)) &&
    typeof origin === 'string' &&
    typeof expiresAt === 'number' &&
    typeof owner === 'object' &&
    owner !== null
  );
}
