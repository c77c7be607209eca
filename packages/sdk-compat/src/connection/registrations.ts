import type { Edition } from '@turnwire/protocol';

/** A function that reads parameters, or a schema of zod or another library. */
export type ParamsParser<Params> =
  | {
      /** Returns the parameters, or throws. */
      parse: (params: unknown) => Params;
    }
  | ((params: unknown) => Params);

export type AnyHandler = (context: never) => unknown;

interface Registered {
  readonly parser: ParamsParser<unknown> | undefined;
  readonly handler: AnyHandler;
}

type Kind = 'request' | 'notification';

/** The handlers of an app, by kind and method. The first one for a method is called. */
export class Registrations {
  readonly #side: 'agent' | 'client';
  readonly #methods: Edition['methods'];
  readonly #handlers = { request: new Map<string, Registered>(), notification: new Map<string, Registered>() };

  constructor(side: 'agent' | 'client', methods: Edition['methods']) {
    this.#side = side;
    this.#methods = methods;
  }

  /** All methods with a handler. */
  get names(): ReadonlySet<string> {
    return new Set([...this.#handlers.request.keys(), ...this.#handlers.notification.keys()]);
  }

  /** The handlers of a notification: its own, and then the one for all notifications. */
  handlersOf(method: string): readonly Registered[] {
    const { notification } = this.#handlers;
    return [notification.get(method), notification.get('*')].filter((each) => each !== undefined);
  }

  /** The handler of a request, or the one for all others. */
  request(method: string): Registered | undefined {
    return this.#handlers.request.get(method) ?? this.#handlers.request.get('*');
  }

  has(kind: Kind, method: string): boolean {
    return this.#handlers[kind].has(method);
  }

  /** @throws Error for a second fallback, and for a method without a parser that the protocol does not have */
  add(
    kind: Kind,
    method: string,
    [first, second]: readonly [AnyHandler | ParamsParser<unknown>, (AnyHandler | undefined)?],
  ): void {
    const handlers = this.#handlers[kind];
    if (method === '*' && second) throw new Error('Wildcard handlers receive raw params; omit the parser.');
    if (method === '*' && handlers.has('*')) throw new Error(`A ${kind} fallback is already registered.`);
    if (method !== '*' && !second && !this.#isKnown(kind, method))
      throw new Error(`Unknown ACP ${kind} method '${method}'. Pass a params parser for custom methods.`);
    const registered = second
      ? { parser: first as ParamsParser<unknown>, handler: second }
      : { parser: undefined, handler: first as AnyHandler };
    if (!handlers.has(method)) handlers.set(method, registered);
  }

  #isKnown(kind: Kind, method: string): boolean {
    const row = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    return row?.kind === kind && row.side === this.#side;
  }
}

/** The parameters for a handler. */
export function parsed({ parser }: Registered, params: unknown): unknown {
  if (parser === undefined) return params;
  return typeof parser === 'function' ? parser(params) : parser.parse(params);
}
