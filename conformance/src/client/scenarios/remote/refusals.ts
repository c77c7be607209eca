import type { RemoteProfile } from '../../../remote/endpoint.ts';
import { type ClientScenario, clientScenario } from '../../client-scenario.ts';
import type { PlayedAnswer, SeenRequest } from '../../launch/played-server.ts';
import { reports, wordsBefore } from '../endings.ts';

/** A server, or what stands before it, that answers a request otherwise than it should. */
interface Refusing {
  readonly over: RemoteProfile;
  /** Behind `remote/`. */
  readonly id: string;
  readonly title: string;
  readonly to: (request: SeenRequest) => boolean;
  readonly answer: PlayedAnswer;
}

const page = { type: 'text/html', body: '<!doctype html><title>Sign in</title>' };

const isUpgrade = ({ method }: SeenRequest): boolean => method === 'UPGRADE';
const isStream = ({ method }: SeenRequest): boolean => method === 'GET';
const calls =
  (wanted: string): Refusing['to'] =>
  ({ message }) =>
    message?.['method'] === wanted;

const rows: readonly Refusing[] = [
  ...([401, 403, 404, 503] as const).flatMap((status): readonly Refusing[] => [
    {
      over: 'http',
      id: `initialize-${status}`,
      title: `initialize that is answered ${status} is reported`,
      to: calls('initialize'),
      answer: { status, body: 'Not here.\n' },
    },
    {
      over: 'websocket',
      id: `upgrade-${status}`,
      title: `an upgrade that is answered ${status} is reported`,
      to: isUpgrade,
      answer: { status, body: 'Not here.\n' },
    },
  ]),
  {
    over: 'http',
    id: 'initialize-page',
    title: 'a page in place of the answer to initialize is reported',
    to: calls('initialize'),
    answer: { status: 200, ...page },
  },
  {
    over: 'websocket',
    id: 'upgrade-page',
    title: 'a page in place of an upgrade is reported',
    to: isUpgrade,
    answer: { status: 200, ...page },
  },
  ...([404, 410, 500] as const).map((status): Refusing => ({
    over: 'http',
    id: `prompt-${status}`,
    title: `a prompt that is answered ${status} is reported`,
    to: calls('session/prompt'),
    answer: { status, body: 'Not here.\n' },
  })),
  {
    over: 'http',
    id: 'stream-401',
    title: 'an event stream that is answered 401 is reported',
    to: isStream,
    answer: { status: 401 },
  },
  {
    over: 'http',
    id: 'stream-409',
    title: 'a stream of a session that the server has open already is reported',
    to: ({ method, headers }) => method === 'GET' && headers['acp-session-id'] !== undefined,
    answer: { status: 409 },
  },
  {
    over: 'http',
    id: 'stream-page',
    title: 'a page in place of an event stream is reported',
    to: isStream,
    answer: { status: 200, ...page },
  },
];

export const refusalScenarios: readonly ClientScenario[] = rows.map(({ over, id, title, to, answer }) =>
  clientScenario(`remote/${id}`, ['R364'], {
    title,
    over,
    run: async (stage) => {
      stage.answerOddly((request) => (to(request) ? answer : undefined));
      reports(stage, await stage.perform('prompt'), 'R364');
    },
  }),
);

export const brokenLineScenarios: readonly ClientScenario[] = (['http', 'websocket'] as const).map((over) =>
  clientScenario(`remote/cut-${over}`, ['R363'], {
    title: `a connection over ${over === 'http' ? 'HTTP' : 'a WebSocket'} that breaks in the middle of a message is reported, and nothing waits for it`,
    over,
    run: async (stage) => {
      const done = await stage.turn(({ agent, sessionId }) => {
        const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: wordsBefore } };
        const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
        agent.connection.cutIn(JSON.stringify(message));
        return null;
      });
      reports(stage, done, 'R363');
    },
  }),
);
