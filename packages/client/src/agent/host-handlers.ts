import {
  type ConfinedRun,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type Handlers,
  type HostCall,
  invalidParams,
  type RequestContext,
  requestCancelled,
} from '@turnwire/protocol';
import type { Host, HostContext, HostElicitation, HostFiles, HostService, HostTerminals } from '../host/host.ts';
import type { AgentSession } from '../session/agent-session.ts';
import type { HostGate } from '../host/host-gate.ts';
import type { Sessions } from './sessions.ts';

/** The inputs of host request handlers. */
export interface HostParts {
  readonly host: Host;
  readonly gate: HostGate | undefined;
  /** The sessions of the connection. */
  readonly sessions: Pick<Sessions, 'find'>;
}

/** Handlers for the services of the host; requests for other services are answered with "method not found". */
export function hostHandlers(requests: HostRequests): Handlers<'client'> {
  const { files, terminals, elicitation } = requests.parts.host;
  return {
    ...(files && fileHandlers(files, requests)),
    ...(terminals && terminalHandlers(terminals, requests)),
    ...(elicitation && elicitationHandlers(elicitation, requests)),
  };
}

function fileHandlers({ readTextFile, writeTextFile, admit }: HostFiles, requests: HostRequests): Handlers<'client'> {
  return {
    ...(readTextFile && { 'fs/read_text_file': requests.gated('fs/read_text_file', readTextFile, admit) }),
    ...(writeTextFile && { 'fs/write_text_file': requests.gated('fs/write_text_file', writeTextFile, admit) }),
  };
}

function terminalHandlers(terminals: HostTerminals, requests: HostRequests): Handlers<'client'> {
  return {
    'terminal/create': requests.gated(
      'terminal/create',
      (request, context) => terminals.create(request, context),
      (request, context) => terminals.admit?.(request, context),
    ),
    'terminal/output': requests.free((request, context) => terminals.output(request, context)),
    'terminal/wait_for_exit': requests.free((request, context) => terminals.waitForExit(request, context)),
    'terminal/kill': requests.free((request, context) => terminals.kill(request, context)),
    'terminal/release': requests.free((request, context) => terminals.release(request, context)),
  };
}

function elicitationHandlers(elicitation: HostElicitation, requests: HostRequests): Handlers<'client'> {
  return {
    'elicitation/create': async (request, { signal }) => {
      const service = request.mode === 'form' ? elicitation.form : elicitation.url;
      // The peer rejects modes that were not advertised; this is for a peer without gates.
      if (!service) throw invalidParams(`mode: ${JSON.stringify(request.mode)} is not offered`);
      const answer = await requests.elicit(request, signal, service);
      const { elicitationId } = request as { readonly elicitationId?: unknown };
      if (typeof elicitationId === 'string' && answer.action === 'accept')
        (requests.pages ??= new Set()).add(elicitationId);
      return answer;
    },
    'elicitation/complete': ({ elicitationId }) => {
      if (requests.pages?.delete(elicitationId)) elicitation.complete?.(elicitationId);
    },
  };
}

type SessionRequest = { readonly sessionId: string };
type Handler<Request, Response> = (request: Request, context: RequestContext<'client'>) => Promise<Response>;

/** Finds the session of a request, calls the gate, and runs the service. */
export class HostRequests {
  readonly parts: HostParts;
  /** The ids of pages that the user agreed to open. */
  pages: Set<string> | undefined;

  constructor(parts: HostParts) {
    this.parts = parts;
  }

  /** A service for existing resources, which needs no permission. */
  free<Request extends SessionRequest, Response>(service: HostService<Request, Response>): Handler<Request, Response> {
    return async (request, { signal }) => {
      const session = this.parts.sessions.find(request.sessionId);
      return session.serve(() => service(request, contextOf(session, signal)));
    };
  }

  /** A service that runs only if the gate allows it. The gate, which may ask a user, is not called for requests that are not admitted. */
  gated<Request extends HostCall['params'], Response>(
    method: HostCall['method'],
    service: HostService<Request, Response>,
    admit: HostService<Request, void> | undefined,
  ): Handler<Request, Response> {
    return async (request, { signal }) => {
      const session = this.parts.sessions.find(request.sessionId);
      const context = contextOf(session, signal);
      await admit?.(request, context);
      const run = await this.#pass(session, { method, params: request }, signal);
      return session.serve(() => service(request, { ...context, run: run as ConfinedRun | undefined }));
    };
  }

  /** A question of a session, or of a request outside any session. It is withdrawn when its turn ends. */
  async elicit(
    request: CreateElicitationRequest,
    signal: AbortSignal,
    service: HostService<CreateElicitationRequest, CreateElicitationResponse>,
  ): Promise<CreateElicitationResponse> {
    const { sessionId } = request as { readonly sessionId?: unknown };
    if (typeof sessionId !== 'string') return service(request, { roots: [], signal });
    const session = this.parts.sessions.find(sessionId);
    return session.serveTurn<CreateElicitationResponse>(signal, {
      work: (withdrawal) => service(request, contextOf(session, withdrawal)),
      withdrawn: () => ({ action: 'cancel' }),
    });
  }

  async #pass(session: AgentSession, call: GatedCall, requested: AbortSignal): Promise<ConfinedRun | void> {
    const { gate } = this.parts;
    if (!gate) return undefined;
    return session.serveTurn<ConfinedRun | void>(requested, {
      work: (signal) => gate({ ...call, sessionId: session.id, ...contextOf(session, signal) } as HostCall),
      withdrawn: () => {
        throw requestCancelled();
      },
    });
  }
}

function contextOf({ roots, realRoots }: AgentSession, signal: AbortSignal): HostContext {
  return { roots, realRoots, signal };
}

type GatedCall = Pick<HostCall, 'method' | 'params'>;
