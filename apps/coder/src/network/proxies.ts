import { proxyFor } from '@turnwire/transports/http/node';
import { Agent, Dispatcher, ProxyAgent, setGlobalDispatcher } from 'undici';

type Variables = Readonly<Record<string, string | undefined>>;

/** Has every `fetch` of this process go through the proxy that the usual variables name for its address, as `proxyFor` reads them. */
export function fetchThroughProxies(variables: Variables): void {
  setGlobalDispatcher(new ProxyByAddress(variables));
}

/** Sends each request through the proxy of its address, or directly. */
class ProxyByAddress extends Dispatcher {
  readonly #variables: Variables;
  readonly #direct = new Agent();
  readonly #proxies = new Map<string, ProxyAgent>();

  constructor(variables: Variables) {
    super();
    this.#variables = variables;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandlers): boolean {
    return this.#wayTo(String(options.origin)).dispatch(options, handler);
  }

  #wayTo(origin: string): Dispatcher {
    const proxy = proxyFor(origin, this.#variables);
    if (!proxy) return this.#direct;
    const known = this.#proxies.get(proxy.href) ?? new ProxyAgent(proxy.href);
    this.#proxies.set(proxy.href, known);
    return known;
  }
}
