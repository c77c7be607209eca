import type { Agent, AgentOptions, Host, HostContext, HostElicitation } from '@turnwire/client';
import { localFiles, localTerminals } from '@turnwire/client/node';
import { hostActionOf, hostPreviewOf, limitsMeta, type Permissions } from '@turnwire/permissions';
import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  invalidParams,
  keptValue,
  methodNotFound,
} from '@turnwire/protocol';
import { exactTransport } from '../exact-transport.ts';
import type { HostedAgent } from '../agent/hosted-agent.ts';
import type { Subscriber } from './subscriber.ts';
import type { Questions } from './questions.ts';
import { routedHost } from './routed-host.ts';

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
  readonly controller: Subscriber | undefined;
  readonly subscribers: readonly Subscriber[];
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
export class AgentAccess {
  readonly host: Host;
  #session: AccessSession | undefined;

  constructor({ host, differences }: Pick<HostedAgent, 'host' | 'differences'>) {
    const services = host?.() ?? {
      files: localFiles({ missingFile: differences?.missingFile }),
      terminals: localTerminals(),
    };
    this.host = routedHost({ ...services, elicitation: this.#elicitation() }, () => this.#bound.controller);
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
    const ask = async (request: CreateElicitationRequest, context: HostContext): Promise<CreateElicitationResponse> => {
      const { id, questions } = this.#bound;
      const mode = request.mode === 'url' ? 'url' : 'form';
      const asked = 'sessionId' in request ? { ...request, sessionId: id } : request;
      const answered = await questions.ask({
        askOf: async ({ elicitation }, called) => elicitation?.[mode]?.(asked, { ...context, signal: called }),
        concerns: () => true,
        fits: ({ elicitation }) => elicitation?.[mode] !== undefined,
        signal: context.signal,
      });
      return answered?.answer ?? { action: 'cancel' };
    };
    return {
      form: ask,
      url: ask,
      complete: (elicitationId) => {
        for (const { elicitation } of this.#bound.subscribers) elicitation?.complete?.(elicitationId);
      },
    };
  }

  /** Methods of the agent's own go to the client in control, and notifications to every client. */
  #extensions(): NonNullable<AgentOptions['extensions']> {
    return {
      '*': (params, { method, requestId, signal }) => {
        if (!method.startsWith('_') || method.startsWith('_turnwire/')) throw methodNotFound(method);
        const { id, subscribers, controller } = this.#bound;
        const sent = withSessionId(params, id);
        if (requestId !== undefined) {
          if (!controller?.extensions) throw invalidParams(`No client is there to answer ${method}`);
          return controller.extensions.request(method, sent, signal);
        }
        for (const { extensions } of subscribers) extensions?.notify(method, sent);
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
