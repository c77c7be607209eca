import type { HostElicitation } from '@turnwire/client';
import type { ClientCapabilities, CreateElicitationRequest, CreateElicitationResponse, Peer } from '@turnwire/protocol';
import { elicitationAnswerInVersion1, elicitationInVersion2 } from '@turnwire/protocol/translation';
import type { V2 } from '@turnwire/protocol/v2';

/** The connection of a client, in the version that it has agreed on. */
export type ClientPeer = Peer<'agent'> | Peer<'agent', V2>;

export function isVersion2(peer: ClientPeer): peer is Peer<'agent', V2> {
  return peer.version === 2;
}

type Send = (request: CreateElicitationRequest) => Promise<CreateElicitationResponse>;

/**
 * Asks a client the questions of an agent, in the modes that the client offers. Undefined: it offers none.
 * @param around called for each question with the function that sends it
 */
export function elicitationOf(
  peer: ClientPeer,
  { elicitation }: ClientCapabilities,
  around: (request: CreateElicitationRequest, send: Send) => Promise<CreateElicitationResponse> = (request, send) =>
    send(request),
): HostElicitation | undefined {
  const { form, url } = elicitation ?? {};
  if (!form && !url) return undefined;
  const ask: HostElicitation['form'] = (asked, { signal }) =>
    around(asked, async (request) =>
      isVersion2(peer)
        ? elicitationAnswerInVersion1(
            await peer.request('elicitation/create', elicitationInVersion2(request), { signal }),
          )
        : peer.request('elicitation/create', request, { signal }),
    );
  const complete = (elicitationId: string): void =>
    void (peer as Peer<'agent'>).notify('elicitation/complete', { elicitationId }).catch(() => undefined);
  return { ...(form && { form: ask }), ...(url && { url: ask, complete }) };
}
