/** Cookies of one server, by which load balancers send a client to the same machine again. It does not look at domains, paths or times. */
export interface AcpCookieStore {
  /** Takes the cookies of an answer. */
  store(headers: Headers): void;
  /** Adds the cookies to the headers of a request. */
  apply(headers: Headers): void;
  /** Forgets all cookies. */
  clear(): void;
}

/** Cookies in memory. A cookie that the program sends itself wins over a stored one of the same name. */
export class MemoryAcpCookieStore implements AcpCookieStore {
  readonly #cookies = new Map<string, string>();

  /** Takes the cookies of an answer. */
  store(headers: Headers): void {
    // One header may hold several cookies, and a date in it has a comma as well.
    const lines = headers.getSetCookie().flatMap((line) => line.split(/,(?=\s*[^;,\s=]+=)/));
    for (const [name, value] of lines.flatMap(pairOf)) this.#cookies.set(name, value);
  }

  /** Adds the cookies to the headers of a request. */
  apply(headers: Headers): void {
    const own = (headers.get('cookie') ?? '').split(';').flatMap(pairOf);
    const all = [...new Map([...this.#cookies, ...own])].map(([name, value]) => `${name}=${value}`);
    if (all.length > 0) headers.set('cookie', all.join('; '));
  }

  /** Forgets all cookies. */
  clear(): void {
    this.#cookies.clear();
  }
}

/** The name and the value at the start of a cookie. A cookie without a name is ignored. */
function pairOf(text: string): [name: string, value: string][] {
  const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(text) ?? [];
  return name.trim() === '' ? [] : [[name.trim(), value.trim()]];
}
