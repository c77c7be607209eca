import {
  type Handlers,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionConfigOption,
  type SessionLookup,
  type SessionNotification,
  type TransportWarning,
} from '@turnwire/protocol';
import type { AgentOptions } from './agent.ts';
import { hostHandlers, HostRequests } from './host-handlers.ts';
import type { Sessions } from './sessions.ts';

/**
 * Takes what an agent sends: the handlers of its methods, the sessions its messages refer to, and reports of what could not be read. A handler
 * for the host is made when it is called, since of ten thousand connections few call any at the same time.
 */
export class AgentHandlers implements SessionLookup {
  static {
    for (const [method, { side }] of Object.entries(methods))
      if (side === 'client' && !(method in this.prototype))
        Object.defineProperty(this.prototype, method, {
          get(this: AgentHandlers) {
            return hostHandlers(this.#requests)[method as keyof Handlers<'client'>];
          },
        });
  }

  readonly #sessions: Sessions;
  readonly #requests: HostRequests;
  readonly #onWarning: AgentOptions['onWarning'];

  constructor(sessions: Sessions, { host = {}, hostGate: gate, onWarning, extensions = {} }: AgentOptions) {
    this.#sessions = sessions;
    this.#requests = new HostRequests({ host, gate, sessions });
    this.#onWarning = onWarning;
    for (const [method, value] of Object.entries(extensions))
      if (Reflect.get(this, method) === undefined) Object.defineProperty(this, method, { value });
  }

  'session/update'({ sessionId, update, _meta }: SessionNotification): Promise<void> | undefined {
    return this.#sessions.get(sessionId)?.deliver(update, _meta ?? undefined);
  }

  'session/request_permission'(
    request: RequestPermissionRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<RequestPermissionResponse> {
    return this.#sessions.find(request.sessionId).decide(request, signal);
  }

  cwd(sessionId: string): string | undefined {
    return this.#sessions.get(sessionId)?.cwd;
  }

  configOptions(sessionId: string): readonly SessionConfigOption[] | undefined {
    return this.#sessions.get(sessionId)?.configOptions?.list;
  }

  warning(report: TransportWarning): void {
    this.#onWarning?.(report);
    if (report.kind === 'oversize') this.#sessions.lose({ bytes: report.bytes });
  }

  /** As the connection is given them: those of the host are there, or not, by what the host has. */
  get table(): Handlers<'client'> {
    return this as unknown as Handlers<'client'>;
  }
}
