import type {
  DefinitionOf,
  EditionTypes,
  Implementation,
  Peer,
  RawCalls,
  RequestOptions,
  V1,
} from '@turnwire/protocol';
import { unlessAborted } from '@turnwire/machine/waits';
import type { ClientWire } from '../wire/client-wire.ts';
import type { ClientTerminals } from './client-terminals.ts';
import type { LineRange } from './line-range.ts';

/** The client as a turn sees it. Capabilities that it lacks are absent. */
export interface TurnClient<E extends EditionTypes = V1> {
  /** Its name and version, if it sent them. */
  readonly info?: Implementation;
  readonly capabilities: DefinitionOf<'ClientCapabilities', E>;
  /**
   * Calls a method of the client: one of the protocol, or one whose name starts with an underscore. It is cancelled with the turn, unless
   * the options have another signal. Methods of a draft are sent with `raw`.
   */
  readonly request: Peer<'agent', E>['request'];
  /** Sends the client a notification, as {@link Peer.notify} does; also about other sessions. */
  readonly notify: Peer<'agent', E>['notify'];
  /** Sends methods that are not in the protocol's table. */
  readonly raw: RawCalls;
  /** Reads a text file as the client has it, unsaved changes included. Lines count from 1. */
  readonly readTextFile?: (path: string, range?: LineRange) => Promise<string>;
  /** Writes a text file through the client. */
  readonly writeTextFile?: (path: string, content: string) => Promise<void>;
  /** Runs commands in terminals that the client shows. */
  readonly terminals?: ClientTerminals;
}

/** The inputs of a turn's client. */
export interface TurnClientParts {
  readonly sessionId: string;
  /** Cancels requests to the client. */
  readonly signal: AbortSignal;
  readonly terminals: ClientTerminals;
}

/** Leaves out capabilities that the client did not advertise. */
export function turnClient(
  { peer, info, capabilities }: ClientWire,
  { sessionId, signal, terminals }: TurnClientParts,
): TurnClient {
  const request = (method: '_', params: unknown, options?: RequestOptions): Promise<unknown> =>
    peer.request(method, params, { signal, ...options });
  return {
    capabilities,
    request,
    notify: peer.notify.bind<Peer<'agent'>['notify']>(peer),
    raw: {
      ...peer.raw,
      request: (method, params, options) => peer.raw.request(method, params, { signal, ...options }),
    },
    ...(info && { info }),
    ...(capabilities.fs?.readTextFile && {
      readTextFile: async (path, range = {}) => {
        const asked = peer.request('fs/read_text_file', { sessionId, path, ...range }, { signal });
        return (await unlessAborted(asked, signal)).content;
      },
    }),
    ...(capabilities.fs?.writeTextFile && {
      writeTextFile: async (path, content) =>
        void (await peer.request('fs/write_text_file', { sessionId, path, content }, { signal })),
    }),
    ...(capabilities.terminal && { terminals }),
  };
}
