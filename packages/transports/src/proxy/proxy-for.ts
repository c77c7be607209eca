import { isThisMachine, TurnwireError } from '@turnwire/protocol';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/**
 * The proxy for a URL from the usual environment variables; undefined if the URL is reached directly: `HTTPS_PROXY` for `https:` and `wss:`,
 * `HTTP_PROXY` for `http:` and `ws:`, else `ALL_PROXY`, in upper or lower case. `NO_PROXY` lists hosts without a proxy: `box.example`, `.example`,
 * `box.example:8080`, `*`. This machine, such as `localhost`, is never reached through one.
 * @throws TurnwireError `invalid-input` if the proxy is not an `http:` URL
 */
export function proxyFor(url: string | URL, variables: Variables): URL | undefined {
  const { protocol, hostname, port } = new URL(url);
  const read = (name: string): string | undefined => variables[name.toLowerCase()] || variables[name] || undefined;
  const value = read(/^(?:https|wss):$/.test(protocol) ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? read('ALL_PROXY');
  if (value === undefined || isThisMachine(hostname)) return undefined;
  if (isExcepted(hostname, port || (defaultPorts[protocol] ?? ''), read('NO_PROXY') ?? '')) return undefined;
  const proxy = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  // The message does not quote the URL, which may contain a password.
  if (!URL.canParse(proxy) || new URL(proxy).protocol !== 'http:')
    throw new TurnwireError(
      'invalid-input',
      'the variable for the proxy must name an http:// URL: SOCKS and others are not supported. Name such a proxy, or list the host in NO_PROXY',
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
