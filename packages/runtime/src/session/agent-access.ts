import type { Agent, AgentOptions, Host, HostContext, HostElicitation } from '@turnwire/client';
import { childSessions } from '@turnwire/client/extensions';
import { localFiles, localTerminals } from '@turnwire/client/node';
import { hostActionOf, hostPreviewOf, limitsMeta } from '@turnwire/permissions';
import {
  type AgentCapabilities,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  invalidParams,
  keptValue,
  methodNotFound,
  type RequestId,
  type TurnwireMeta,
  turnwireMeta,
} from '@turnwire/protocol';
import { exactTransport } from '../exact-transport.ts';
import type { HostedAgent } from '../agent/hosted-agent.ts';
import type { SessionLog } from '../log/session-log.ts';
import type { TurnRecorder } from '../review/turn-recorder.ts';
import type { Questions } from './questions.ts';
import { routedHost } from './routed-host.ts';
import type { RulesInForce } from './rules-in-force.ts';
import type { LatestPrompt } from './prompt-queue.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Shared by all connections. `heldText`: how much text of an agent may wait for its session before this side stops reading, in UTF-16 units. */
const peer = { limits: { heldText: 1024 * 1024 }, keep: keptValue };

/** The parts of a session that its agent has access to. */
export interface AccessSession {
  /** The id of the session that clients know. */
  readonly id: string;
  readonly log: SessionLog;
  readonly questions: Questions;
  readonly rules: RulesInForce;
  readonly latest: LatestPrompt;
  readonly recorder: TurnRecorder | undefined;
  readonly subscriptions: Subscriptions;
  /** Adds a warning to the log. */
  readonly warn: (title: string) => void;
}

/** The start of a session's agents, and perhaps a running agent. */
export interface AgentForSession {
  readonly access: AgentAccess;
  readonly agent?: Agent;
}

/** A login of a client. */
export interface SessionLogin {
  readonly methodId: string;
  /** Answers the questions of the agent that belong to the login. Default: the clients of the session answer them. */
  readonly questions?: HostElicitation | undefined;
}

/**
 * The host services and permissions of an agent. It may start before there is a session; until then it has access to nothing.
 */
export class AgentAccess {
  readonly host: Host;
  #session: AccessSession | undefined;
  /** Answers questions that belong to no session. */
  #asking: HostElicitation | undefined;

  constructor({ host, differences }: Pick<HostedAgent, 'host' | 'differences'>) {
    const services = host?.() ?? {
      files: localFiles({ missingFile: differences?.missingFile }),
      terminals: localTerminals(),
    };
    this.host = routedHost({ ...services, elicitation: this.#elicitation() }, () => this.#controller);
  }

  /** Gives the agent access for a session. */
  bind(session: AccessSession): void {
    this.#session = session;
  }

  /** Has the questions that belong to no session answered, until the work is done. */
  async asking<Result>(questions: HostElicitation | undefined, work: () => Promise<Result>): Promise<Result> {
    if (questions === undefined) return work();
    this.#asking = questions;
    try {
      return await work();
    } finally {
      if (this.#asking === questions) this.#asking = undefined;
    }
  }

  /** The options that an agent is started with. The rules in force decide about its requests, and set the limits in `_meta` of each prompt. */
  options(signal: AbortSignal): AgentOptions {
    const { host } = this;
    return {
      host,
      childSessions,
      permission: (request, context) => this.#bound.rules.current.policy(request, context),
      promptMeta: (agent) => {
        const { latest, rules, recorder } = this.#bound;
        const promptMeta = latest.prompt?.meta;
        const limits = limitsMeta(agent.capabilities, rules.current.limits);
        const ours = {
          ...(promptMeta?.['turnwire'] as object | undefined),
          ...(limits?.['turnwire'] as object | undefined),
          ...recordMeta(agent.capabilities, recorder?.turnId),
        };
        return Object.keys(ours).length > 0 ? { ...promptMeta, turnwire: ours } : promptMeta;
      },
      hostGate: (call) => {
        if (call.method !== 'fs/read_text_file') this.#bound.recorder?.mayChange();
        return this.#bound.rules.current.allowHostCall(hostActionOf(call, host.terminals), call.signal, () =>
          hostPreviewOf(call, host.files),
        );
      },
      extensions: this.#extensions(),
      peer,
      through: exactTransport,
      tap: (direction) => (direction === 'in' ? this.#session?.log.backpressure : undefined),
      signal,
    };
  }

  /** The client in control of the running turn; undefined if it is gone. */
  get #controller(): Subscriber | undefined {
    const { latest, subscriptions } = this.#bound;
    return subscriptions.subscribers.find((each) => each === latest.prompt?.subscriber);
  }

  get #bound(): AccessSession {
    if (!this.#session) throw invalidParams('There is no session yet');
    return this.#session;
  }

  #elicitation(): HostElicitation {
    const ask = async (request: CreateElicitationRequest, context: HostContext): Promise<CreateElicitationResponse> => {
      const mode = request.mode === 'url' ? 'url' : 'form';
      const { requestId, ...rest } = request as CreateElicitationRequest & { readonly requestId?: RequestId };
      if (requestId !== undefined && this.#asking)
        return this.#asking[mode]?.(request, context) ?? { action: 'cancel' };
      const { id, questions, warn } = this.#bound;
      // A request of the runtime, which no client knows.
      const asked = { ...rest, sessionId: id } as CreateElicitationRequest;
      const answered = await questions.ask({
        askOf: async ({ elicitation }, called) => elicitation?.[mode]?.(asked, { ...context, signal: called }),
        concerns: () => true,
        fits: ({ elicitation }) => elicitation?.[mode] !== undefined,
        onUnfit: () => warn(unshownQuestion(request)),
        signal: context.signal,
      });
      return answered?.answer ?? { action: 'cancel' };
    };
    return {
      form: ask,
      url: ask,
      complete: (elicitationId) => {
        this.#asking?.complete?.(elicitationId);
        for (const { elicitation } of this.#session?.subscriptions.subscribers ?? [])
          elicitation?.complete?.(elicitationId);
      },
    };
  }

  /** Passes the agent's own requests on to the client in control, and its own notifications to every client. */
  #extensions(): NonNullable<AgentOptions['extensions']> {
    return {
      '*': (params, { method, requestId, signal }) => {
        if (!method.startsWith('_') || method.startsWith('_turnwire/')) throw methodNotFound(method);
        const { id, subscriptions } = this.#bound;
        const controller = this.#controller;
        const sent = withSessionId(params, id);
        if (requestId !== undefined) {
          if (!controller?.extensions) throw invalidParams(`No client is connected to answer ${method}`);
          return controller.extensions.request(method, sent, signal);
        }
        for (const { extensions } of subscriptions.subscribers) extensions?.notify(method, sent);
        return undefined;
      },
    };
  }
}

/** Replaces the session id in parameters with the one that the receiver knows. */
export function withSessionId(params: unknown, id: string | undefined): unknown {
  if (typeof params !== 'object' || params === null || !('sessionId' in params)) return params;
  return { ...params, sessionId: id };
}

/** Agents ask whether or not a client can show their question: the gateway offers forms before it knows its clients. */
function unshownQuestion({ message }: CreateElicitationRequest): string {
  const question = message.length > 200 ? `${message.slice(0, 199)}…` : message;
  return (
    `The agent asked a question that no connected client can show, and got no answer: “${question}”. ` +
    'Open this session in a chat or a page to answer such questions.'
  );
}

/** Names the record of a turn for an agent that uses it. */
function recordMeta(
  { _meta }: AgentCapabilities,
  recordedTurn: string | undefined,
): Partial<TurnwireMeta['session/prompt']> {
  const isUsed = turnwireMeta<'agent capabilities'>(_meta).recordedTurn === true;
  return isUsed && recordedTurn !== undefined ? { recordedTurn } : {};
}
