import {
  type Handlers,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionConfigOption,
  type SessionLookup,
  type TransportWarning,
} from '@turnwire/protocol';
import type { DeliveredUpdate } from '../session/agent-session.ts';
import type { AgentOptions } from './agent.ts';
import { hostHandlers, HostRequests } from './host-handlers.ts';
import type { Sessions } from './sessions.ts';

/**
 * Handles the messages of an agent: the handlers of its methods, the sessions that its messages refer to, and reports of unreadable data. A
 * handler for the host is created when it is called, because of ten thousand connections few use one at the same time.
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

  'session/update'(notification: DeliveredUpdate): Promise<void> | undefined {
    return this.#sessions.owner(notification.sessionId)?.deliver(notification);
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

  /** The handlers for the connection. Handlers of the host are present only if the host has the service. */
  get table(): Handlers<'client'> {
    return this as unknown as Handlers<'client'>;
  }
}
