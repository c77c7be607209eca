/** The cookies of one origin for the time of a connection: load balancers use them to route a client to the same server. */
export class Cookies {
  readonly #values = new Map<string, string>();

  /** The value of the header `Cookie`; undefined without cookies. */
  get header(): string | undefined {
    const pairs = [...this.#values].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? undefined : pairs.join('; ');
  }

  /** Stores the cookies of an answer. A browser manages cookies itself, and hides them. */
  take({ headers }: { readonly headers: Pick<Headers, 'getSetCookie'> }): void {
    for (const each of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(each) ?? [];
      if (name !== '') this.#values.set(name.trim(), value.trim());
    }
  }
}
