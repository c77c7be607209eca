import type { WireDefect } from '../../peers/built-in-client.ts';
import { clientScenarios } from '../../../src/client/scenarios/scenarios.ts';
import type { ClientMutant } from '../client-mutant.ts';

type Headers = Record<string, string | undefined>;

/** Sends other headers with its requests. */
function headers(change: (given: Headers, init: RequestInit) => Headers): WireDefect {
  return {
    fetch:
      (send) =>
      (url, init = {}) => {
        const changed = change({ ...(init.headers as Headers) }, init);
        const kept = Object.entries(changed).filter((each): each is [string, string] => each[1] !== undefined);
        return send(url, { ...init, headers: Object.fromEntries(kept) });
      },
  };
}

/** Makes up an answer to some requests, and sends them not. */
function withholds(which: (init: RequestInit) => boolean, answer: () => Response): WireDefect {
  return {
    fetch:
      (send) =>
      (url, init = {}) =>
        which(init) ? Promise.resolve(answer()) : send(url, init),
  };
}

const opensNoSessionStream = withholds(
  ({ method, headers: given }) => method === 'GET' && (given as Headers)['acp-session-id'] !== undefined,
  () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
);

/** Of whatever went wrong it says nothing. */
const silent: readonly ClientMutant[] = clientScenarios
  .filter(({ covers }) => covers.includes('R363') || covers.includes('R364'))
  .map(({ id, over, covers: [breaks = 'R364'] }) => ({
    name: 'does not report a failure',
    scenario: id,
    breaks,
    ...(over !== undefined && { needs: over }),
    quirk: 'tells nobody, and ends well',
  }));

export const remoteClientMutants: readonly ClientMutant[] = [
  {
    name: 'sends its messages as text/plain',
    scenario: 'remote/requests',
    breaks: 'R356',
    needs: 'http',
    wire: headers((given, { method }) => (method === 'POST' ? { ...given, 'content-type': 'text/plain' } : given)),
  },
  {
    name: 'accepts anything for an event stream',
    scenario: 'remote/requests',
    breaks: 'R357',
    needs: 'http',
    wire: headers((given, { method }) => (method === 'GET' ? { ...given, accept: '*/*' } : given)),
  },
  {
    name: 'names no connection in its messages',
    scenario: 'remote/requests',
    breaks: 'R358',
    needs: 'http',
    wire: headers((given, { method }) => (method === 'POST' ? { ...given, 'acp-connection-id': undefined } : given)),
  },
  {
    name: 'names no session in its answers',
    scenario: 'remote/requests',
    breaks: 'R359',
    needs: 'http',
    wire: headers((given, { body }) =>
      typeof body === 'string' && !body.includes('"method"') ? { ...given, 'acp-session-id': undefined } : given,
    ),
  },
  {
    name: 'opens no stream for its session',
    scenario: 'remote/requests',
    breaks: 'R360',
    needs: 'http',
    wire: opensNoSessionStream,
  },
  {
    name: 'opens two streams for its session',
    scenario: 'remote/requests',
    breaks: 'R360',
    needs: 'http',
    wire: {
      fetch:
        (send) =>
        (url, init = {}) => {
          // The client may leave, and abort it, before it is answered.
          if (init.method === 'GET') void send(url, init).catch(() => undefined);
          return send(url, init);
        },
    },
  },
  {
    name: 'misses what came before it opened the stream of its session',
    scenario: 'remote/before-the-stream',
    breaks: 'R360',
    needs: 'http',
    wire: opensNoSessionStream,
  },
  {
    name: 'keeps no cookies',
    scenario: 'remote/cookies',
    breaks: 'R361',
    needs: 'http',
    wire: headers((given) => ({ ...given, cookie: undefined })),
  },
  {
    name: 'leaves without a word to the server',
    scenario: 'remote/delete',
    breaks: 'R365',
    needs: 'http',
    wire: withholds(
      ({ method }) => method === 'DELETE',
      () => new Response(null, { status: 202 }),
    ),
  },
  {
    name: 'sends binary messages',
    scenario: 'remote/text-messages',
    breaks: 'R354',
    needs: 'websocket',
    wire: { send: (text) => [Buffer.from(text)] },
  },
  {
    name: 'begins with something else than initialize',
    scenario: 'remote/text-messages',
    breaks: 'R362',
    needs: 'websocket',
    wire: {
      send: (text) => (text.includes('"initialize"') ? ['{"jsonrpc":"2.0","method":"_hello"}', text] : [text]),
    },
  },
  {
    name: 'reads binary messages',
    scenario: 'remote/binary-message',
    breaks: 'R355',
    needs: 'websocket',
    wire: { receive: (data) => String(data) },
  },
  ...silent,
];
