import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile, withLock } from '@turnwire/machine';
import {
  type KeptPass,
  loginsOf,
  MemoryPasses,
  mostPasses,
  type PagePass,
  type PagePasses,
  type PassKind,
} from './page-passes.ts';
import { digestOf, matching } from './secret.ts';

type TimedPass = PagePass & { readonly time: number };

/** Tickets in memory, and the logins of pages in a file that its owner alone can read: a restart of the server logs no page out. */
export class PageLoginFile implements PagePasses {
  readonly #path: string;
  readonly #tickets: MemoryPasses;
  readonly #now: () => number;
  #pages: readonly KeptPass[] = [];
  /** Of the file when it was read. */
  #state: string | undefined;

  /**
   * @param path absolute. The file and its folder are made with the first login
   * @param now milliseconds since 1970. Default: the clock
   */
  constructor(path: string, now: () => number = Date.now) {
    this.#path = path;
    this.#tickets = new MemoryPasses(now);
    this.#now = now;
  }

  async add(kind: PassKind, secret: string, { time, ...pass }: TimedPass): Promise<void> {
    if (kind === 'ticket') return this.#tickets.add(kind, secret, { time, ...pass });
    const page = { ...pass, digest: digestOf(secret), expiresAt: this.#now() + time };
    await this.#change((pages) => [...pages.slice(1 - mostPasses), page]);
  }

  async find(kind: PassKind, secret: string): Promise<PagePass | undefined> {
    if (kind === 'ticket') return this.#tickets.find(kind, secret);
    const found = matching(await this.#current(), secret);
    return found && found.expiresAt > this.#now() ? found : undefined;
  }

  async take(kind: PassKind, secret: string): Promise<PagePass | undefined> {
    if (kind === 'ticket') return this.#tickets.take(kind, secret);
    const found = await this.find(kind, secret);
    if (found) await this.end(digestOf(secret));
    return found;
  }

  async logins(tenant: string): Promise<readonly KeptPass[]> {
    return loginsOf(await this.#current(), tenant, this.#now());
  }

  async end(digest: string): Promise<void> {
    await this.#change((pages) => pages.filter((each) => each.digest !== digest));
  }

  /** Servers on several ports share the file. */
  async #change(change: (pages: readonly KeptPass[]) => readonly KeptPass[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await withLock(`${this.#path}.lock`, async () => {
      const pages = change((await this.#read()).filter(({ expiresAt }) => expiresAt > this.#now()));
      await replaceFile(this.#path, `${JSON.stringify({ version: 1, pages }, null, 2)}\n`);
    });
  }

  /** Reads the file if it has changed: another server may have logged a page out. */
  async #current(): Promise<readonly KeptPass[]> {
    const found = await stat(this.#path, { bigint: true }).catch(() => undefined);
    const state = found && `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (state === this.#state) return this.#pages;
    this.#pages = await this.#read();
    this.#state = state;
    return this.#pages;
  }

  /** The logins of a file that is missing or damaged are none: those pages log in again. */
  async #read(): Promise<readonly KeptPass[]> {
    try {
      const { version, pages } = JSON.parse(await readFile(this.#path, 'utf8')) as Record<string, unknown>;
      return version === 1 && Array.isArray(pages) ? pages.filter((page) => isKeptPass(page)) : [];
    } catch {
      return [];
    }
  }
}

function isKeptPass(value: unknown): value is KeptPass {
  const { digest, origin, expiresAt, owner } = (value ?? {}) as Partial<Record<keyof KeptPass, unknown>>;
  return (
    /^[0-9a-f]{64}$/.test(String(digest)) &&
    typeof origin === 'string' &&
    typeof expiresAt === 'number' &&
    typeof owner === 'object' &&
    owner !== null
  );
}
