import { type ClientCapabilities, type Implementation, invalidParams, type Peer } from '@turnwire/protocol';
import type { ClientWire, SessionWire } from './client-wire.ts';

/** A connection of version 1. A turn is the answer to its prompt, so the client needs no updates about its beginning and end. */
export class V1Wire implements ClientWire {
  readonly peer: Peer<'agent'>;
  readonly answersCommands = false;

  constructor(peer: Peer<'agent'>) {
    this.peer = peer;
  }

  get info(): Implementation | undefined {
    return this.peer.remote?.clientInfo ?? undefined;
  }

  get capabilities(): ClientCapabilities {
    return this.peer.remote?.clientCapabilities ?? {};
  }

  elicit: ClientWire['elicit'] = (request, { signal }) => this.peer.request('elicitation/create', request, { signal });

  elicited: ClientWire['elicited'] = (elicitationId) => this.peer.notify('elicitation/complete', { elicitationId });

  session(sessionId: string): SessionWire {
    const { peer, capabilities, elicit, elicited } = this;
    const update: SessionWire['update'] = (update) => peer.notify('session/update', { sessionId, update });
    const cannotBeCancelled = (): never => {
      throw invalidParams('Version 1 of the protocol cannot cancel a part of a turn');
    };
    return {
      capabilities,
      elicit,
      elicited,
      update,
      replay: async (updates, signal) => {
        for (const each of updates) {
          signal.throwIfAborted();
          await update(each);
        }
      },
      askPermission: async (request, { signal }) =>
        (await peer.request('session/request_permission', request, { signal })).outcome,
      resumed: () => undefined,
      inserted: () => undefined,
      turnBegins: () => undefined,
      turnEnds: () => undefined,
      turnFails: () => undefined,
      commandStarts: () => undefined,
      cancelToolCall: cannotBeCancelled,
      cancelTerminal: cannotBeCancelled,
      close: () => undefined,
    };
  }
}
