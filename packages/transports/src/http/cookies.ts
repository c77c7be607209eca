/** The cookies of one origin, as long as a connection to it lasts: balancers recognise by them which server a client belongs to. */
export class Cookies {
  readonly #values = new Map<string, string>();

  /** The value of the header `Cookie`; undefined without any. */
  get header(): string | undefined {
    const pairs = [...this.#values].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? undefined : pairs.join('; ');
  }

  /** Keeps what an answer sets. A browser keeps its cookies itself, and shows none. */
  take({ headers }: Response): void {
    for (const each of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(each) ?? [];
      if (name !== '') this.#values.set(name.trim(), value.trim());
    }
  }
}
