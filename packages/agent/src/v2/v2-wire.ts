import type { ClientCapabilities, Implementation, Peer } from '@turnwire/protocol';
import {
  clientCapabilitiesInVersion1,
  elicitationAnswerInVersion1,
  elicitationInVersion2,
} from '@turnwire/protocol/translation';
import type { V2 } from '@turnwire/protocol/v2';
import type { ClientWire, SessionWire } from '../wire/client-wire.ts';
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
    return clientCapabilitiesInVersion1(this.#peer.remote?.capabilities ?? {});
  }

  elicit: ClientWire['elicit'] = async (request, { signal }) => {
    const answer = await this.#peer.request('elicitation/create', elicitationInVersion2(request), { signal });
    return elicitationAnswerInVersion1(answer);
  };

  elicited: ClientWire['elicited'] = (elicitationId) => this.#peer.notify('elicitation/complete', { elicitationId });

  session(sessionId: string): SessionWire {
    return new V2SessionWire({ peer: this.#peer, sessionId, questions: this });
  }
}
