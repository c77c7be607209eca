import type { WireDefect } from '../../peers/built-in-client.ts';
import { clientScenarios } from '../../../src/client/scenarios/scenarios.ts';
import type { ClientMutant } from '../client-mutant.ts';

type Headers = Record<string, string | undefined>;

/** Changes the headers of requests. */
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

/** Answers some requests itself instead of sending them. */
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

/** Reports nothing about any failure. */
const silent: readonly ClientMutant[] = clientScenarios
  .filter(({ covers }) => covers.includes('R363') || covers.includes('R364'))
  .map(({ id, over, covers: [breaks = 'R364'] }) => ({
    name: 'does not report a failure',
    scenario: id,
    breaks,
    ...(over !== undefined && { needs: over }),
    quirk: 'reports no failure and exits with 0',
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
    name: 'accepts any content type as an event stream',
    scenario: 'remote/requests',
    breaks: 'R357',
    needs: 'http',
    wire: headers((given, { method }) => (method === 'GET' ? { ...given, accept: '*/*' } : given)),
  },
  {
    name: 'does not send Acp-Connection-Id',
    scenario: 'remote/requests',
    breaks: 'R358',
    needs: 'http',
    wire: headers((given, { method }) => (method === 'POST' ? { ...given, 'acp-connection-id': undefined } : given)),
  },
  {
    name: 'does not send Acp-Session-Id with its answers',
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
          // The client may exit and abort the request before it is answered.
          if (init.method === 'GET') void send(url, init).catch(() => undefined);
          return send(url, init);
        },
    },
  },
  {
    name: 'misses messages from before it opened the stream of its session',
    scenario: 'remote/before-the-stream',
    breaks: 'R360',
    needs: 'http',
    wire: opensNoSessionStream,
  },
  {
    name: 'does not return cookies',
    scenario: 'remote/cookies',
    breaks: 'R361',
    needs: 'http',
    wire: headers((given) => ({ ...given, cookie: undefined })),
  },
  {
    name: 'exits without DELETE',
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
    name: 'sends another method before initialize',
    scenario: 'remote/text-messages',
    breaks: 'R362',
    needs: 'websocket',
    wire: {
      send: (text) => (text.includes('"initialize"') ? ['{"jsonrpc":"2.0","method":"_hello"}', text] : [text]),
    },
  },
  {
    name: 'processes binary messages',
    scenario: 'remote/binary-message',
    breaks: 'R355',
    needs: 'websocket',
    wire: { receive: (data) => String(data) },
  },
  ...silent,
];
