import type {
  ClientCapabilities,
  CreateElicitationResponse,
  Implementation,
  Params,
  Peer,
  V1,
} from '@turnwire/protocol';
import type { V2 } from '@turnwire/protocol/v2';
import type { ClientWire, SessionWire } from '../wire/client-wire.ts';
import type { StateUpdate } from '../wire/foreground.ts';
import { V2SessionWire } from './v2-session-wire.ts';

/** A connection of version 2. */
export class V2Wire implements ClientWire {
  readonly peer: Peer<'agent'>;
  readonly answersCommands = true;
  readonly #peer: Peer<'agent', V2>;

  constructor(peer: Peer<'agent', V2>) {
    this.#peer = peer;
    this.peer = peer as unknown as Peer<'agent'>;
  }

  get info(): Implementation | undefined {
    return this.#peer.remote?.info;
  }

  get capabilities(): ClientCapabilities {
    return capabilitiesInV1(this.#peer.remote?.capabilities ?? {});
  }

  elicit: ClientWire['elicit'] = async (request, { signal }) => {
    const answer = await this.#peer.request('elicitation/create', asElicitation(request), { signal });
    const isKnown = answer.action === 'accept' || answer.action === 'decline';
    return isKnown ? (answer as CreateElicitationResponse) : { action: 'cancel' };
  };

  elicited: ClientWire['elicited'] = (elicitationId) => this.#peer.notify('elicitation/complete', { elicitationId });

  session(sessionId: string, changed?: (state: StateUpdate) => void): SessionWire {
    return new V2SessionWire({ peer: this.#peer, sessionId, questions: this, changed });
  }
}

/**
 * The capabilities of a client in the form of version 1. Version 2 has no files and terminals of the client; every client handles options of
 * type `boolean`, notices, compactions, plans with ids, child sessions and terminals of the agent.
 */
export function capabilitiesInV1({
  auth,
  elicitation,
  _meta,
}: Params<'initialize', V2>['capabilities'] & object): ClientCapabilities {
  return {
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    plan: {},
    subagents: {},
    auth: { terminal: Boolean(auth?.terminal) },
    ...(elicitation && { elicitation }),
    _meta: { ..._meta, terminal_output: true },
  };
}

function asElicitation(request: Params<'elicitation/create', V1>): Params<'elicitation/create', V2> {
  if (request.mode !== 'form') return request as Params<'elicitation/create', V2>;
  const { requestedSchema, ...rest } = request as { readonly requestedSchema: object };
  return { ...rest, requestedSchema: { type: 'object', properties: {}, ...requestedSchema } } as unknown as Params<
    'elicitation/create',
    V2
  >;
}
