import { connectClient, type Peer } from '@turnwire/protocol';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { initializeRequest, newSessionRequest } from '../wire/script.ts';
import type { StampReader } from './stamp-reader.ts';

type Wire = ReturnType<typeof connectWebSocket>;

/** The URL of a gateway, with a token if it requires one. */
type GatewayAddress = string | { readonly url: string; readonly token?: string };

/** A client of a gateway that keeps its cursor. */
export class GatewayClient {
  readonly peer: Peer<'client'>;
  readonly #wire: Wire;
  /** The cursor of the last update; before that, the one in the answer to `session/new`. */
  cursor: string | undefined;

  private constructor(address: GatewayAddress, reader: StampReader, cursor: string | undefined) {
    this.cursor = cursor;
    const { url, token } = typeof address === 'string' ? { url: address } : address;
    this.#wire = connectWebSocket(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
    this.peer = connectClient(this.#wire, {
      'session/update': ({ update, _meta }) => {
        this.cursor = cursorIn(_meta) ?? this.cursor;
        if (update.sessionUpdate === 'agent_message_chunk')
          reader.read((update.content as { readonly text: string }).text);
      },
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
    });
  }

  /** @param cursor the position up to which the client has read before */
  static async connect(address: GatewayAddress, reader: StampReader, cursor?: string): Promise<GatewayClient> {
    const client = new GatewayClient(address, reader, cursor);
    await client.peer.request('initialize', initializeRequest);
    return client;
  }

  async begin(): Promise<string> {
    const { sessionId, _meta } = await this.peer.request('session/new', newSessionRequest);
    this.cursor = cursorIn(_meta);
    return sessionId;
  }

  /** Receives the updates after its cursor. Throws if some are missing. */
  async resume(sessionId: string): Promise<void> {
    const { cwd } = newSessionRequest;
    const _meta = { turnwire: { after: this.cursor } };
    const answer = await this.peer.request('session/resume', { sessionId, cwd, _meta });
    const { gap } = (answer._meta?.['turnwire'] ?? {}) as { readonly gap?: string };
    if (gap !== undefined) throw new Error(`there is a gap after ${this.cursor}: ${gap}`);
  }

  async load(sessionId: string): Promise<void> {
    await this.peer.request('session/load', { sessionId, ...newSessionRequest });
  }

  /** Drops the connection without closing it, like a network failure. */
  cut(): void {
    void this.#wire[Symbol.asyncDispose]();
  }
}

function cursorIn(meta: Readonly<Record<string, unknown>> | null | undefined): string | undefined {
  return (meta?.['turnwire'] as { readonly cursor?: string } | undefined)?.cursor;
}
