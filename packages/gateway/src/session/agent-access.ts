import type { Agent, AgentOptions, Host, HostElicitation } from '@turnwire/client';
import { localFiles, localTerminals } from '@turnwire/client/node';
import { hostActionOf, hostPreviewOf, limitsMeta, type Permissions } from '@turnwire/permissions';
import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type ExtensionMethod,
  invalidParams,
  keptValue,
  methodNotFound,
} from '@turnwire/protocol';
import { exactTransport } from '../exact-transport.ts';
import type { HostedAgent } from '../hosted-agent.ts';
import type { HostedClient } from './hosted-client.ts';
import type { Questions } from './questions.ts';
import { type HostRoutes, routedHost } from './routed-host.ts';

/** One for all connections. `heldText`: how much of what an agent sends may wait for its session before it is read no further, in UTF-16 units. */
const peer = { limits: { heldText: 1024 * 1024 }, keep: keptValue };

/** The session that an agent has access for. */
export interface AccessSession {
  /** A promise for its agent to wait for, until what it has said is stored. */
  readonly room: Promise<void> | undefined;
  /** As its clients know it. */
  readonly id: string;
  readonly questions: Questions;
  /** Those of the running turn. */
  readonly permissions: Permissions;
  /** The client in control of the running turn; undefined if it is gone. */
  readonly controller: HostedClient | undefined;
  readonly attached: readonly HostedClient[];
  /** `_meta` of the prompt that runs, without what is ours: `traceparent`, say. */
  readonly promptMeta: Readonly<Record<string, unknown>> | undefined;
}

/** What a session starts its agents with, and an agent that runs already. */
export interface AgentForSession {
  readonly access: AgentAccess;
  readonly agent?: Agent;
}

/**
 * What an agent may use and ask. It is given with the start, so it may be there before its session; an agent without a session has no
 * access to anything.
 */
export class AgentAccess implements HostRoutes {
  readonly host: Host;
  #session: AccessSession | undefined;

  constructor({ host, differences }: Pick<HostedAgent, 'host' | 'differences'>) {
    const services = host?.() ?? {
      files: localFiles({ missingFile: differences?.missingFile }),
      terminals: localTerminals(),
    };
    this.host = routedHost({ ...services, elicitation: this.#elicitation() }, this);
  }

  get sessionId(): string {
    return this.#bound.id;
  }

  get controller(): HostedClient | undefined {
    return this.#bound.controller;
  }

  /** Gives the agent access for a session. */
  bind(session: AccessSession): void {
    this.#session = session;
  }

  /** The options that an agent is started with: the rules decide what it asks for, what it uses, and the limits each prompt brings. */
  options(signal: AbortSignal): AgentOptions {
    const { host } = this;
    return {
      host,
      permission: (request, context) => this.#bound.permissions.policy(request, context),
      promptMeta: (agent) => {
        const { promptMeta, permissions } = this.#bound;
        const limits = limitsMeta(agent.capabilities, permissions.limits);
        const ours = {
          ...(promptMeta?.['turnwire'] as object | undefined),
          ...(limits?.['turnwire'] as object | undefined),
        };
        return Object.keys(ours).length > 0 ? { ...promptMeta, turnwire: ours } : promptMeta;
      },
      hostGate: (call) =>
        this.#bound.permissions.allowHostCall(hostActionOf(call, host.terminals), call.signal, () =>
          hostPreviewOf(call, host.files),
        ),
      extensions: this.#extensions(),
      peer,
      through: exactTransport,
      tap: (direction) => (direction === 'in' ? this.#session?.room : undefined),
      signal,
    };
  }

  get #bound(): AccessSession {
    if (!this.#session) throw invalidParams('There is no session yet');
    return this.#session;
  }

  #elicitation(): HostElicitation {
    const ask = async (
      request: CreateElicitationRequest,
      { signal }: { readonly signal: AbortSignal },
    ): Promise<CreateElicitationResponse> => {
      const { id, questions } = this.#bound;
      const mode = request.mode === 'url' ? 'url' : 'form';
      const asked = 'sessionId' in request ? { ...request, sessionId: id } : request;
      const answered = await questions.ask({
        askOf: ({ client }, called) => client.peer.request('elicitation/create', asked, { signal: called }),
        concerns: () => true,
        fits: ({ client }) => Boolean(client.capabilities.elicitation?.[mode]),
        signal,
      });
      return answered?.answer ?? { action: 'cancel' };
    };
    return {
      form: ask,
      url: ask,
      complete: (elicitationId) => {
        for (const { peer, capabilities } of this.#bound.attached)
          if (capabilities.elicitation?.url)
            void peer.notify('elicitation/complete', { elicitationId }).catch(() => undefined);
      },
    };
  }

  /** Methods of the agent's own go to the client in control, and notifications to every client. */
  #extensions(): NonNullable<AgentOptions['extensions']> {
    return {
      '*': (params, { method, requestId, signal }) => {
        if (!method.startsWith('_') || method.startsWith('_turnwire/')) throw methodNotFound(method);
        const { id, attached, controller: client } = this.#bound;
        const sent = withSessionId(params, id);
        if (requestId !== undefined) {
          if (!client) throw invalidParams(`No client is there to answer ${method}`);
          return client.peer.request(method as ExtensionMethod, sent, { signal });
        }
        for (const { peer } of attached) void peer.notify(method as ExtensionMethod, sent).catch(() => undefined);
        return undefined;
      },
    };
  }
}

/** Parameters about a session, with the id by which the receiver knows it. */
export function withSessionId(params: unknown, id: string | undefined): unknown {
  if (typeof params !== 'object' || params === null || !('sessionId' in params)) return params;
  return { ...params, sessionId: id };
}
