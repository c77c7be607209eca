import { Exchange, type Exchanged, type OpenStream } from '../../../remote/exchange.ts';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScenario, agentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';

const json = { 'content-type': 'application/json' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
});

function call(id: string, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A connection made by hand. */
interface Connection {
  readonly exchange: Exchange;
  /** The answer to `initialize`. */
  readonly begun: Exchanged;
  readonly id: { readonly 'acp-connection-id': string };
}

/** Runs a scenario with requests by hand, which are ended behind it. */
function byHand(run: (exchange: Exchange, stage: AgentStage) => Promise<void>): AgentScenario['run'] {
  return async (stage) => {
    const exchange = new Exchange(stage.endpoint, stage.startPatience);
    try {
      await run(exchange, stage);
    } finally {
      exchange.close();
    }
  };
}

async function connected(exchange: Exchange): Promise<Connection> {
  const begun = await exchange.ask({ method: 'POST', headers: json, body: initialize });
  const id = begun.headers['acp-connection-id'];
  if (typeof id !== 'string') throw new Stopped(`initialize began no connection: it was answered ${begun.status}`);
  return { exchange, begun, id: { 'acp-connection-id': id } };
}

/** A scenario with one request on a connection, which has to get one of these statuses. */
function status(
  id: string,
  requirement: RequirementId,
  row: {
    readonly title: string;
    readonly expected: readonly number[];
    readonly ask: (connection: Connection) => Promise<{ readonly status: number }>;
  },
): AgentScenario {
  return agentScenario(`remote/${id}`, [requirement], {
    title: row.title,
    over: 'http',
    run: byHand(async (exchange, { see }) => {
      const { status: got } = await row.ask(await connected(exchange));
      see.check(requirement, !row.expected.includes(got) && `it was answered ${got}, not ${row.expected.join(' or ')}`);
    }),
  });
}

/** What a stream brings for a request. */
async function answered(stream: OpenStream, id: string, stage: AgentStage): Promise<string | undefined> {
  return stream.find((event) => event.includes(`"${id}"`), stage.settings.patience.answer);
}

export const httpScenarios: readonly AgentScenario[] = [
  agentScenario('remote/initialize', ['R340'], {
    title: 'initialize is answered with 200, a JSON body and an Acp-Connection-Id',
    over: 'http',
    run: byHand(async (exchange, { see }) => {
      const { status: got, headers, body } = await exchange.ask({ method: 'POST', headers: json, body: initialize });
      const isJson = /^application\/json\b/.test(headers['content-type'] ?? '') && body.includes('"protocolVersion"');
      const fault =
        (got !== 200 || !isJson || headers['acp-connection-id'] === undefined) &&
        `it was answered ${got}, ${isJson ? 'with' : 'without'} JSON, ${headers['acp-connection-id'] === undefined ? 'without' : 'with'} Acp-Connection-Id`;
      see.check('R340', fault);
    }),
  }),
  agentScenario('remote/accepted', ['R341', 'R342', 'R343'], {
    title:
      'Every other message is accepted with 202 and no body, and its answer comes on the event stream, one message an event',
    over: 'http',
    run: byHand(async (exchange, stage) => {
      const { id } = await connected(exchange);
      const stream = await exchange.stream(id);
      const type = stream.headers['content-type'] ?? '';
      const fault =
        (stream.status !== 200 || !type.startsWith('text/event-stream')) &&
        `the stream was answered ${stream.status} ${type}`;
      stage.see.check('R343', fault);
      const body = call('asked', '_turnwire/unknown');
      const posted = await exchange.ask({ method: 'POST', headers: { ...json, ...id }, body });
      const otherFault =
        (posted.status !== 202 || posted.body !== '') &&
        `it was answered ${posted.status} with ${posted.body === '' ? 'no' : 'a'} body`;
      stage.see.check('R341', otherFault);
      const event = await answered(stream, 'asked', stage);
      const thirdFault =
        !isOneMessage(event) &&
        (event === undefined ? 'no answer came on the stream' : 'the event is not one JSON-RPC message');
      stage.see.check('R342', thirdFault);
    }),
  }),
  status('content-type', 'R344', {
    title: 'A POST that is not application/json is refused with 415',
    expected: [415],
    ask: ({ exchange, id }) =>
      exchange.ask({ method: 'POST', headers: { 'content-type': 'text/plain', ...id }, body: call('x', '_x') }),
  }),
  status('accept', 'R345', {
    title: 'A GET that does not accept text/event-stream is refused with 406',
    expected: [406],
    ask: ({ exchange, id }) => exchange.ask({ method: 'GET', headers: { accept: 'text/html', ...id } }),
  }),
  status('no-connection', 'R346', {
    title: 'A GET without Acp-Connection-Id is refused with 400',
    expected: [400],
    ask: ({ exchange }) => exchange.ask({ method: 'GET', headers: { accept: 'text/event-stream' } }),
  }),
  status('unknown-connection', 'R347', {
    title: 'A GET with an unknown Acp-Connection-Id is refused with 404',
    expected: [404],
    ask: ({ exchange }) =>
      exchange.ask({ method: 'GET', headers: { accept: 'text/event-stream', 'acp-connection-id': 'nobodys' } }),
  }),
  status('no-session', 'R348', {
    title: 'A message of a session without Acp-Session-Id is refused with 400',
    expected: [400],
    ask: ({ exchange, id }) =>
      exchange.ask({
        method: 'POST',
        headers: { ...json, ...id },
        body: call('x', 'session/prompt', { sessionId: 'any', prompt: [] }),
      }),
  }),
  status('batch', 'R349', {
    title: 'A batch is refused, and nothing of it is handled',
    expected: [400, 501],
    ask: ({ exchange, id }) =>
      exchange.ask({ method: 'POST', headers: { ...json, ...id }, body: `[${call('x', '_x')}]` }),
  }),
  agentScenario('remote/delete', ['R350'], {
    title: 'DELETE ends the connection and its stream, and the connection is unknown afterwards',
    over: 'http',
    run: byHand(async (exchange, stage) => {
      const { id } = await connected(exchange);
      const stream = await exchange.stream(id);
      const { status: got } = await exchange.ask({ method: 'DELETE', headers: id });
      await stream.find(() => false, stage.settings.patience.answer);
      const after = await exchange.ask({ method: 'POST', headers: { ...json, ...id }, body: call('x', '_x') });
      const fault =
        (got !== 202 || !stream.isOver || after.status !== 404) &&
        `it was answered ${got}, its stream ${stream.isOver ? 'ended' : 'stayed'}, a later message was answered ${after.status}`;
      stage.see.check('R350', fault);
    }),
  }),
  agentScenario('remote/second-stream', ['R351'], {
    title: 'With a second GET for a stream that is open, each message still arrives, and once',
    over: 'http',
    run: byHand(async (exchange, stage) => {
      const { id } = await connected(exchange);
      const streams = [await exchange.stream(id), await exchange.stream(id)];
      const open = streams.filter(({ status: got }) => got === 200);
      // What comes behind it gives a second copy time to arrive.
      for (const each of ['asked', 'behind', 'last']) {
        await exchange.ask({ method: 'POST', headers: { ...json, ...id }, body: call(each, '_turnwire/unknown') });
        await Promise.race(open.map((stream) => answered(stream, each, stage)));
      }
      const count = streams.flatMap(({ events }) => events).filter((event) => event.includes('"asked"')).length;
      stage.see.check('R351', count !== 1 && `the answer arrived ${count} times`);
    }),
  }),
  agentScenario('remote/streams', ['R366', 'R367'], {
    title:
      'What belongs to a session comes on its stream, in order, and the answer that begins it on that of the connection',
    over: 'http',
    run: byHand(async (exchange, stage) => {
      const { id } = await connected(exchange);
      const stream = await exchange.stream(id);
      const begin = call('begun', 'session/new', { cwd: stage.folder, mcpServers: [] });
      await exchange.ask({ method: 'POST', headers: { ...json, ...id }, body: begin });
      const begun = await stream.find((event) => event.includes('"begun"'), stage.startPatience);
      const [, sessionId] = /"sessionId":\s*"([^"\\]+)"/.exec(begun ?? '') ?? [];
      if (sessionId === undefined)
        throw new Stopped(`session/new began no session: ${begun?.slice(0, 200) ?? 'there was no answer'}`);
      const both = { ...id, 'acp-session-id': sessionId };
      const prompt = [{ type: 'text', text: stage.steer('say', { text: 'in order' }) }];
      const body = call('turn', 'session/prompt', { sessionId, prompt });
      await exchange.ask({ method: 'POST', headers: { ...json, ...both }, body });
      // Opened behind the prompt: what was sent until then is owed as well.
      const own = await exchange.stream(both);
      await turnOver([own, stream], stage, (answer) =>
        exchange.ask({ method: 'POST', headers: { ...json, ...both }, body: answer }),
      );
      const turn = messagesOn(own);
      const isMisplaced = messagesOn(stream).some(({ isAnswer, isUpdate }) => isAnswer || isUpdate);
      const fault =
        (isMisplaced || !turn.some(({ isAnswer }) => isAnswer)) &&
        (isMisplaced
          ? 'a message of the session came on the stream of the connection'
          : 'the answer to session/prompt did not come on the stream of the session');
      stage.see.check('R366', fault);
      if (!turn.some(({ isUpdate }) => isUpdate)) throw new Stopped('the agent sent no update in its turn');
      const end = turn.findIndex(({ isAnswer }) => isAnswer);
      const otherFault =
        !turn.slice(0, end).some(({ isUpdate }) => isUpdate) && 'every update of the turn came after its answer';
      stage.see.check('R367', otherFault);
    }),
  }),
  agentScenario('remote/cut-request', ['R352'], {
    title: 'A client that leaves in the middle of a message disturbs no other',
    over: 'http',
    run: byHand(async (exchange, stage) => {
      const { id } = await connected(exchange);
      const stream = await exchange.stream(id);
      await exchange.cutPost({ ...json, ...id }, '{"jsonrpc":"2.0","id":"cut"');
      let isAnswered = true;
      for (const each of ['asked', 'behind']) {
        await exchange.ask({ method: 'POST', headers: { ...json, ...id }, body: call(each, '_turnwire/unknown') });
        isAnswered &&= (await answered(stream, each, stage)) !== undefined;
      }
      stage.see.check('R352', !isAnswered && 'after another request was cut off, no answer came');
    }),
  }),
];

/** Waits for the answer to the prompt, on whichever stream. What the agent asks until then is refused. */
async function turnOver(
  streams: readonly OpenStream[],
  stage: AgentStage,
  send: (answer: string) => Promise<unknown>,
): Promise<void> {
  const refused = new Set<string>();
  const isNews = (event: string): boolean =>
    isTurnsAnswer(event) || (idOfRequest(event) !== undefined && !refused.has(event));
  for (;;) {
    const event = await Promise.race(streams.map((stream) => stream.find(isNews, stage.turnPatience)));
    if (event === undefined || isTurnsAnswer(event)) return;
    refused.add(event);
    const error = { code: -32_601, message: 'This is not offered here' };
    await send(JSON.stringify({ jsonrpc: '2.0', id: idOfRequest(event), error }));
  }
}

function isTurnsAnswer(event: string): boolean {
  return event.includes('"turn"') && !event.includes('"method"');
}

function idOfRequest(event: string): unknown {
  try {
    const { id, method } = JSON.parse(event) as { readonly id?: unknown; readonly method?: unknown };
    return method === undefined ? undefined : id;
  } catch {
    return undefined;
  }
}

/** What is on a stream of a turn: updates, and the answer. */
interface OnStream {
  readonly isAnswer: boolean;
  readonly isUpdate: boolean;
}

function messagesOn({ events }: OpenStream): readonly OnStream[] {
  return events.map((event) => ({
    isAnswer: isTurnsAnswer(event),
    isUpdate: event.includes('"session/update"'),
  }));
}

function isOneMessage(event: string | undefined): boolean {
  try {
    const message: unknown = JSON.parse(event ?? '');
    return typeof message === 'object' && message !== null && 'jsonrpc' in message;
  } catch {
    return false;
  }
}
