import { TurnwireError } from '@turnwire/protocol';

/** Variables by name, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/**
 * The proxy that the usual variables name for a URL; undefined if it is reached directly: `HTTPS_PROXY` for `https:` and `wss:`, `HTTP_PROXY` for
 * `http:` and `ws:`, else `ALL_PROXY`, in capitals or not. `NO_PROXY` lists hosts without one: `box.example`, `.example`, `box.example:8080`, `*`.
 * This machine never has one.
 * @throws TurnwireError `invalid-input` if it is no `http:` URL
 */
export function proxyFor(url: string | URL, variables: Variables): URL | undefined {
  const { protocol, hostname, port } = new URL(url);
  const read = (name: string): string | undefined => variables[name.toLowerCase()] || variables[name] || undefined;
  const given = read(/^(?:https|wss):$/.test(protocol) ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? read('ALL_PROXY');
  if (given === undefined || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  if (isExcepted(hostname, port || (defaultPorts[protocol] ?? ''), read('NO_PROXY') ?? '')) return undefined;
  const proxy = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  // It may hold a password.
  if (!URL.canParse(proxy) || new URL(proxy).protocol !== 'http:')
    throw new TurnwireError(
      'invalid-input',
      'the variable for the proxy has to name an http:// URL: SOCKS and others are not supported. Name such a proxy, or list the host in NO_PROXY',
    );
  return new URL(proxy);
}

function isExcepted(hostname: string, port: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === '' || (only !== undefined && only !== port)) return false;
      const domain = name.replace(/^\*?\.?/, '');
      return name === '*' || hostname === domain || hostname.endsWith(`.${domain}`);
    });
}
