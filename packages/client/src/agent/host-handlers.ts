import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type Handlers,
  invalidParams,
  type RequestContext,
  requestCancelled,
} from '@turnwire/protocol';
import type { Host, HostElicitation, HostFiles, HostService, HostTerminals } from '../host/host.ts';
import type { AgentSession } from '../session/agent-session.ts';
import type { HostCall, HostGate } from '../host/host-gate.ts';

/** What requests to the host are answered with. */
export interface HostParts {
  readonly host: Host;
  readonly gate: HostGate | undefined;
  /** The session of an id. Throws the ProtocolError to answer with if there is none. */
  readonly session: (id: string) => AgentSession;
}

/** Handlers for what the host offers; without a handler the agent is told that there is no such method. */
export function hostHandlers(parts: HostParts): Handlers<'client'> {
  const { files, terminals, elicitation } = parts.host;
  const requests = new HostRequests(parts);
  return {
    ...(files && fileHandlers(files, requests)),
    ...(terminals && terminalHandlers(terminals, requests)),
    ...(elicitation && elicitationHandlers(elicitation, requests)),
  };
}

function fileHandlers({ readTextFile, writeTextFile }: HostFiles, requests: HostRequests): Handlers<'client'> {
  return {
    ...(readTextFile && { 'fs/read_text_file': requests.gated('fs/read_text_file', readTextFile) }),
    ...(writeTextFile && { 'fs/write_text_file': requests.gated('fs/write_text_file', writeTextFile) }),
  };
}

function terminalHandlers(terminals: HostTerminals, requests: HostRequests): Handlers<'client'> {
  return {
    'terminal/create': requests.gated('terminal/create', (request, context) => terminals.create(request, context)),
    'terminal/output': requests.free((request, context) => terminals.output(request, context)),
    'terminal/wait_for_exit': requests.free((request, context) => terminals.waitForExit(request, context)),
    'terminal/kill': requests.free((request, context) => terminals.kill(request, context)),
    'terminal/release': requests.free((request, context) => terminals.release(request, context)),
  };
}

function elicitationHandlers(elicitation: HostElicitation, requests: HostRequests): Handlers<'client'> {
  /** Pages the user was sent to. */
  const open = new Set<string>();
  return {
    'elicitation/create': async (request, { signal }) => {
      const service = request.mode === 'form' ? elicitation.form : elicitation.url;
      // The peer refuses modes that were not advertised; this is for a peer without gates.
      if (!service) throw invalidParams(`mode: elicitation of mode ${JSON.stringify(request.mode)} is not offered`);
      const answer = await requests.elicit(request, signal, service);
      const id = 'elicitationId' in request ? request.elicitationId : undefined;
      if (typeof id === 'string' && answer.action === 'accept') open.add(id);
      return answer;
    },
    'elicitation/complete': ({ elicitationId }) => {
      if (open.delete(elicitationId)) elicitation.complete?.(elicitationId);
    },
  };
}

type SessionRequest = { readonly sessionId: string };
type Handler<Request, Response> = (request: Request, context: RequestContext<'client'>) => Promise<Response>;

/** Finds the session of a request, asks the gate, and runs the service with what it may know. */
class HostRequests {
  readonly #parts: HostParts;

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** A service that anything may use that exists already. */
  free<Request extends SessionRequest, Response>(service: HostService<Request, Response>): Handler<Request, Response> {
    return async (request, { signal }) => {
      const session = this.#parts.session(request.sessionId);
      return session.serve(() => service(request, { roots: session.roots, realRoots: session.realRoots, signal }));
    };
  }

  /** A service that is used only when the gate lets it. */
  gated<Request extends HostCall['params'], Response>(
    method: HostCall['method'],
    service: HostService<Request, Response>,
  ): Handler<Request, Response> {
    return async (request, { signal }) => {
      const session = this.#parts.session(request.sessionId);
      await this.#pass(session, { method, params: request }, signal);
      return session.serve(() => service(request, { roots: session.roots, realRoots: session.realRoots, signal }));
    };
  }

  /** A question, of a session or of a request outside any. It goes away with its turn. */
  async elicit(
    request: CreateElicitationRequest,
    signal: AbortSignal,
    service: HostService<CreateElicitationRequest, CreateElicitationResponse>,
  ): Promise<CreateElicitationResponse> {
    if (!('sessionId' in request) || typeof request.sessionId !== 'string') {
      return service(request, { roots: [], signal });
    }
    const session = this.#parts.session(request.sessionId);
    const { roots, realRoots } = session;
    return session.serveTurn<CreateElicitationResponse>(signal, {
      work: (moot) => service(request, { roots, realRoots, signal: moot }),
      withdrawn: () => ({ action: 'cancel' }),
    });
  }

  async #pass(session: AgentSession, call: GatedCall, requested: AbortSignal): Promise<void> {
    const { gate } = this.#parts;
    if (!gate) return;
    const { id: sessionId, roots, realRoots } = session;
    await session.serveTurn(requested, {
      work: (signal) => gate({ ...call, sessionId, roots, realRoots, signal } as HostCall),
      withdrawn: () => {
        throw requestCancelled();
      },
    });
  }
}

type GatedCall = Pick<HostCall, 'method' | 'params'>;
