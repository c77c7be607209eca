import {
  connectClient,
  type ClientCapabilities,
  type Handlers,
  type Peer,
  type PeerOptions,
  protocolVersion,
} from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { Gateway, Principal } from '../src/index.ts';

/** A client for tests, which records the messages it receives in order. */
export interface TestClient {
  readonly peer: Peer<'client'>;
  /** Every notification: the text of a chunk, the kind of any other update, or `event TYPE` for events of the gateway. */
  readonly seen: readonly string[];
  /** The cursor of the last update. */
  readonly cursor: string | undefined;
  /** Breaks the connection. */
  destroy(): void;
}

/** Options of a test client. */
export interface TestClientOptions {
  readonly agent?: string;
  /** The name that it introduces itself with. Default: `test`. */
  readonly name?: string;
  readonly principal?: Principal;
  readonly capabilities?: ClientCapabilities;
  readonly handlers?: Handlers<'client'>;
  /** Breaks the connection after this many notifications. */
  readonly cutAfter?: number;
  readonly limits?: PeerOptions['limits'];
}

const local: Principal = { tenant: 'local', scope: 'control' };

/** Connects to a gateway, and initializes. */
export async function testClient(gateway: Gateway, options: TestClientOptions = {}): Promise<TestClient> {
  const {
    agent = 'test',
    name = 'test',
    principal = local,
    capabilities = {},
    handlers = {},
    cutAfter = Infinity,
    limits,
  } = options;
  const [near, far] = memoryPair();
  gateway.attach(far, { principal, agent });
  const seen: string[] = [];
  let cursor: string | undefined;
  // Messages in transit behind the last one are lost.
  const isCut = (): boolean => {
    if (seen.length === cutAfter) near.destroy();
    return seen.length >= cutAfter;
  };
  const received: Handlers<'client'> = {
    'session/update': ({ update, _meta }) => {
      if (isCut()) return;
      const content = 'content' in update ? (update.content as { readonly text?: string } | undefined) : undefined;
      const text = content?.text;
      const own = update.sessionUpdate === 'user_message_chunk' ? `> ${text}` : text;
      seen.push(own ?? update.sessionUpdate);
      cursor = (_meta?.['turnwire'] as { readonly cursor: string } | undefined)?.cursor;
    },
    '_turnwire/event': (params) => {
      const { event, ...rest } = params as { readonly event: { readonly type: string }; readonly cursor: string };
      seen.push(`event ${event.type}`);
      ({ cursor } = rest);
    },
    ...handlers,
  };
  const peer = connectClient(near, received, { limits });
  await peer.request('initialize', {
    protocolVersion,
    clientCapabilities: capabilities,
    clientInfo: { name, version: '1' },
  });
  return {
    peer,
    seen,
    get cursor() {
      return cursor;
    },
    destroy: () => near.destroy(),
  };
}

/** One block of text. */
export function words(text: string): { readonly type: 'text'; readonly text: string }[] {
  return [{ type: 'text', text }];
}
