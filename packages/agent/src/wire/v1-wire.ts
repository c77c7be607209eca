import { type ClientCapabilities, type Implementation, invalidParams, type Peer } from '@turnwire/protocol';
import type { ClientWire, Replayed, SessionWire } from './client-wire.ts';
import { Foreground, foregroundError, type StateUpdate } from '@turnwire/protocol/translation';

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

  session(sessionId: string, changed: (state: StateUpdate) => void = () => undefined): SessionWire {
    const { peer, capabilities, elicit, elicited } = this;
    const foreground = new Foreground(changed);
    const update: SessionWire['update'] = (update) => peer.notify('session/update', { sessionId, update });
    const replay = async ({ updates, children }: Replayed, signal: AbortSignal): Promise<void> => {
      for (const each of updates) {
        signal.throwIfAborted();
        await update(each);
      }
      for (const child of children)
        await this.session(child.sessionId).replay({ updates: child.updates, children: [] }, signal);
    };
    const cannotBeCancelled = (): never => {
      throw invalidParams('Version 1 of the protocol cannot cancel a part of a turn');
    };
    return {
      capabilities,
      elicit,
      elicited,
      update,
      replay,
      askPermission: async (request, { signal }) => {
        const ask = () => peer.request('session/request_permission', request, { signal });
        return (await foreground.asking(request.toolCall.toolCallId, ask)).outcome;
      },
      resumed: () => undefined,
      inserted: () => undefined,
      turnBegins: () => foreground.begin(),
      turnEnds: ({ stopReason }) => foreground.end({ stopReason }),
      turnFails: (error) => foreground.end({ stopReason: 'error', error: foregroundError(error) }),
      commandStarts: () => undefined,
      cancelToolCall: cannotBeCancelled,
      cancelTerminal: cannotBeCancelled,
      childContinues: () => () => undefined,
      close: () => undefined,
    };
  }
}
