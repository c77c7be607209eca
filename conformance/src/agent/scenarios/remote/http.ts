import { Exchange, type Exchanged, type OpenStream } from '../../../remote/exchange.ts';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, isRequest, parsed } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScript, AgentScripts, AgentStage } from '../../agent-stage.ts';

const json = { 'content-type': 'application/json' };
const initialize = call('first', 'initialize', { protocolVersion: 1, clientCapabilities: {} });

function call(id: string, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A connection made by hand. */
class Connection {
  readonly id: { readonly 'acp-connection-id': string };
  readonly #exchange: Exchange;
  readonly #patience: number;

  constructor(exchange: Exchange, id: string, patience: number) {
    this.#exchange = exchange;
    this.id = { 'acp-connection-id': id };
    this.#patience = patience;
  }

  /** Sends a request with these headers, and no others. */
  ask(method: 'POST' | 'GET' | 'DELETE', headers: Readonly<Record<string, string>>, body?: string): Promise<Exchanged> {
    return this.#exchange.ask({ method, headers, ...(body !== undefined && { body }) });
  }

  /** Sends a message, with what every message has to carry. */
  post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Exchanged> {
    return this.ask('POST', { ...json, ...this.id, ...headers }, body);
  }

  stream(headers: Readonly<Record<string, string>> = {}): Promise<OpenStream> {
    return this.#exchange.stream({ ...this.id, ...headers });
  }

  /** Begins a message, and leaves. */
  cut(part: string): Promise<void> {
    return this.#exchange.cutPost({ ...json, ...this.id }, part);
  }

  /** Asks for a method that no agent has: what its stream brings for that. */
  async answer(stream: OpenStream, id: string): Promise<string | undefined> {
    await this.post(call(id, '_turnwire/unknown'));
    return this.find(stream, `"${id}"`);
  }

  find(stream: OpenStream, part: string): Promise<string | undefined> {
    return stream.find((event) => event.includes(part), this.#patience);
  }
}

/** A scenario with requests by hand, which are ended behind it. */
function byHand(run: (exchange: Exchange, stage: AgentStage) => Promise<void>): AgentScript {
  return async (stage) => {
    const exchange = new Exchange(stage.endpoint, stage.startPatience);
    try {
      await run(exchange, stage);
    } finally {
      exchange.close();
    }
  };
}

/** The same on a connection. */
function connected(run: (connection: Connection, stage: AgentStage) => Promise<void>): AgentScript {
  return byHand(async (exchange, stage) => {
    const { headers, status } = await exchange.ask({ method: 'POST', headers: json, body: initialize });
    const given = headers['acp-connection-id'];
    if (typeof given !== 'string') throw new Stopped(`initialize began no connection: it was answered ${status}`);
    await run(new Connection(exchange, given, stage.settings.patience.answer), stage);
  });
}

/** One request on a connection, which has to get one of these statuses. */
function status(
  [requirement, ...expected]: readonly [RequirementId, ...number[]],
  ask: (connection: Connection) => Promise<Exchanged>,
): AgentScript {
  return connected(async (connection, { see }) => {
    const { status: got } = await ask(connection);
    see.check(requirement, !expected.includes(got) && `it was answered ${got}, not ${expected.join(' or ')}`);
  });
}

export const httpScenarios: AgentScripts = {
  'remote/initialize': byHand(async (exchange, { see }) => {
    const { status: got, headers, body } = await exchange.ask({ method: 'POST', headers: json, body: initialize });
    const isJson = /^application\/json\b/.test(headers['content-type'] ?? '') && body.includes('"protocolVersion"');
    const isNamed = headers['acp-connection-id'] !== undefined;
    const how = `${isJson ? 'with' : 'without'} JSON, ${isNamed ? 'with' : 'without'} Acp-Connection-Id`;
    see.check('R340', (got !== 200 || !isJson || !isNamed) && `it was answered ${got}, ${how}`);
  }),
  'remote/accepted': connected(async (connection, { see }) => {
    const stream = await connection.stream();
    const type = stream.headers['content-type'] ?? '';
    const isStream = stream.status === 200 && type.startsWith('text/event-stream');
    see.check('R343', !isStream && `the stream was answered ${stream.status} ${type}`);
    const posted = await connection.post(call('asked', '_turnwire/unknown'));
    const isAccepted = posted.status === 202 && posted.body === '';
    const body = posted.body === '' ? 'no' : 'a';
    see.check('R341', !isAccepted && `it was answered ${posted.status} with ${body} body`);
    const event = await connection.find(stream, '"asked"');
    const isMissing = event === undefined && 'no answer came on the stream';
    const isOne = asMessage(parsed(event ?? ''))?.['jsonrpc'] !== undefined;
    see.check('R342', isMissing || (!isOne && 'the event is not one JSON-RPC message'));
  }),
  'remote/content-type': status(['R344', 415], (connection) =>
    connection.post(call('x', '_x'), { 'content-type': 'text/plain' }),
  ),
  'remote/accept': status(['R345', 406], (connection) =>
    connection.ask('GET', { accept: 'text/html', ...connection.id }),
  ),
  'remote/no-connection': status(['R346', 400], (connection) => connection.ask('GET', { accept: 'text/event-stream' })),
  'remote/unknown-connection': status(['R347', 404], (connection) =>
    connection.ask('GET', { accept: 'text/event-stream', 'acp-connection-id': 'nobodys' }),
  ),
  'remote/no-session': status(['R348', 400], (connection) =>
    connection.post(call('x', 'session/prompt', { sessionId: 'any', prompt: [] })),
  ),
  'remote/batch': status(['R349', 400, 501], (connection) => connection.post(`[${call('x', '_x')}]`)),
  'remote/delete': connected(async (connection, { see, settings }) => {
    const stream = await connection.stream();
    const { status: got } = await connection.ask('DELETE', connection.id);
    await stream.find(() => false, settings.patience.answer);
    const after = await connection.post(call('x', '_x'));
    const isOver = got === 202 && stream.isOver && after.status === 404;
    const ended = `its stream ${stream.isOver ? 'ended' : 'stayed'}, a later message was answered ${after.status}`;
    see.check('R350', !isOver && `it was answered ${got}, ${ended}`);
  }),
  'remote/second-stream': connected(async (connection, { see }) => {
    const streams = [await connection.stream(), await connection.stream()];
    const open = streams.filter(({ status: got }) => got === 200);
    // What comes behind it gives a second copy time to arrive.
    for (const each of ['asked', 'behind', 'last']) {
      await connection.post(call(each, '_turnwire/unknown'));
      await Promise.race(open.map((stream) => connection.find(stream, `"${each}"`)));
    }
    const count = streams.flatMap(({ events }) => events).filter((event) => event.includes('"asked"')).length;
    see.check('R351', count !== 1 && `the answer arrived ${count} times`);
  }),
  'remote/streams': connected(async (connection, stage) => {
    const stream = await connection.stream();
    await connection.post(call('begun', 'session/new', { cwd: stage.folder, mcpServers: [] }));
    const begun = await stream.find((event) => event.includes('"begun"'), stage.startPatience);
    const [, sessionId] = /"sessionId":\s*"([^"\\]+)"/.exec(begun ?? '') ?? [];
    if (sessionId === undefined)
      throw new Stopped(`session/new began no session: ${begun?.slice(0, 200) ?? 'there was no answer'}`);
    const session = { 'acp-session-id': sessionId };
    const prompt = [{ type: 'text', text: stage.steer('say', { text: 'in order' }) }];
    await connection.post(call('turn', 'session/prompt', { sessionId, prompt }), session);
    // Opened behind the prompt: what was sent until then is owed as well.
    const own = await connection.stream(session);
    await turnOver([own, stream], stage, (answer) => connection.post(answer, session));
    const isMisplaced = stream.events.some((event) => isTurnsAnswer(event) || isUpdate(event));
    const end = own.events.findIndex((event) => isTurnsAnswer(event));
    const lost = end === -1 && 'the answer to session/prompt did not come on the stream of the session';
    stage.see.check('R366', isMisplaced ? 'a message of the session came on the stream of the connection' : lost);
    if (!own.events.some(isUpdate)) throw new Stopped('the agent sent no update in its turn');
    const isLate = !own.events.slice(0, end).some(isUpdate);
    stage.see.check('R367', isLate && 'every update of the turn came after its answer');
  }),
  'remote/cut-request': connected(async (connection, { see }) => {
    const stream = await connection.stream();
    await connection.cut('{"jsonrpc":"2.0","id":"cut"');
    const answers = [await connection.answer(stream, 'asked'), await connection.answer(stream, 'behind')];
    see.check('R352', answers.includes(undefined) && 'after another request was cut off, no answer came');
  }),
};

/** Waits for the answer to the prompt, on whichever stream. What the agent asks until then is refused. */
async function turnOver(
  streams: readonly OpenStream[],
  stage: AgentStage,
  send: (answer: string) => Promise<unknown>,
): Promise<void> {
  const refused = new Set<string>();
  const asks = (event: string): boolean => isRequest(asMessage(parsed(event)));
  const isNews = (event: string): boolean => isTurnsAnswer(event) || (asks(event) && !refused.has(event));
  for (;;) {
    const event = await Promise.race(streams.map((stream) => stream.find(isNews, stage.turnPatience)));
    if (event === undefined || isTurnsAnswer(event)) return;
    refused.add(event);
    const error = { code: -32_601, message: 'This is not offered here' };
    await send(JSON.stringify({ jsonrpc: '2.0', id: at(parsed(event), 'id'), error }));
  }
}

function isTurnsAnswer(event: string): boolean {
  return event.includes('"turn"') && !event.includes('"method"');
}

function isUpdate(event: string): boolean {
  return event.includes('"session/update"');
}
