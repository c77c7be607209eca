import { Exchange, type Exchanged, type OpenStream } from '../../../remote/exchange.ts';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, isRequest, parsed } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScript, AgentScripts, AgentContext } from '../../agent-context.ts';
import { bareClient, introductionIn } from '../../host/client-offer.ts';

const json = { 'content-type': 'application/json' };

function call(id: string, method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function initialize({ version }: AgentContext): string {
  return call('first', 'initialize', introductionIn(version, bareClient));
}

/** A remote connection whose HTTP requests the scenario writes itself. */
class Connection {
  readonly id: { readonly 'acp-connection-id': string };
  readonly #exchange: Exchange;
  readonly #timeout: number;

  constructor(exchange: Exchange, id: string, timeout: number) {
    this.#exchange = exchange;
    this.id = { 'acp-connection-id': id };
    this.#timeout = timeout;
  }

  /** Sends a request with exactly these headers. */
  ask(method: 'POST' | 'GET' | 'DELETE', headers: Readonly<Record<string, string>>, body?: string): Promise<Exchanged> {
    return this.#exchange.ask({ method, headers, ...(body !== undefined && { body }) });
  }

  /** Posts a message with the headers that every message must have. */
  post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Exchanged> {
    return this.ask('POST', { ...json, ...this.id, ...headers }, body);
  }

  stream(headers: Readonly<Record<string, string>> = {}): Promise<OpenStream> {
    return this.#exchange.stream({ ...this.id, ...headers });
  }

  /** Sends the beginning of a message, then drops the connection. */
  cut(part: string): Promise<void> {
    return this.#exchange.cutPost({ ...json, ...this.id }, part);
  }

  /** Calls a method that no agent implements, and returns the answer from a stream. */
  async answer(stream: OpenStream, id: string): Promise<string | undefined> {
    await this.post(call(id, '_turnwire/unknown'));
    return this.find(stream, `"${id}"`);
  }

  find(stream: OpenStream, part: string): Promise<string | undefined> {
    return stream.find((event) => event.includes(part), this.#timeout);
  }
}

/** A scenario that writes its own HTTP requests; the exchange is closed after it. */
function byHand(run: (exchange: Exchange, context: AgentContext) => Promise<void>): AgentScript {
  return async (context) => {
    const exchange = new Exchange(context.endpoint, context.startTimeout);
    try {
      await run(exchange, context);
    } finally {
      exchange.close();
    }
  };
}

/** The same, with an initialized connection. */
function connected(run: (connection: Connection, context: AgentContext) => Promise<void>): AgentScript {
  return byHand(async (exchange, context) => {
    const { headers, status } = await exchange.ask({ method: 'POST', headers: json, body: initialize(context) });
    const connectionId = headers['acp-connection-id'];
    if (typeof connectionId !== 'string')
      throw new Stopped(`initialize was answered ${status} without Acp-Connection-Id, so there is no connection`);
    await run(new Connection(exchange, connectionId, context.settings.timeouts.answer), context);
  });
}

/** Sends one request over a connection and expects one of these HTTP statuses. */
function status(
  [requirement, ...expected]: readonly [RequirementId, ...number[]],
  ask: (connection: Connection) => Promise<Exchanged>,
): AgentScript {
  return connected(async (connection, { see }) => {
    const { status: got } = await ask(connection);
    see.check(
      requirement,
      !expected.includes(got) && `the request was answered with status ${got} instead of ${expected.join(' or ')}`,
    );
  });
}

export const httpScenarios: AgentScripts = {
  'remote/initialize': byHand(async (exchange, context) => {
    const asked = { method: 'POST', headers: json, body: initialize(context) } as const;
    const { status: got, headers, body } = await exchange.ask(asked);
    const isJson = /^application\/json\b/.test(headers['content-type'] ?? '') && body.includes('"protocolVersion"');
    const isNamed = headers['acp-connection-id'] !== undefined;
    const how = `${isJson ? 'with' : 'without'} JSON, ${isNamed ? 'with' : 'without'} Acp-Connection-Id`;
    context.see.check(
      'R340',
      (got !== 200 || !isJson || !isNamed) && `initialize was answered with status ${got}, ${how}`,
    );
  }),
  'remote/accepted': connected(async (connection, { see }) => {
    const stream = await connection.stream();
    const type = stream.headers['content-type'] ?? '';
    const isStream = stream.status === 200 && type.startsWith('text/event-stream');
    see.check(
      'R343',
      !isStream && `the event stream was opened with status ${stream.status} and content type "${type}"`,
    );
    const posted = await connection.post(call('asked', '_turnwire/unknown'));
    const isAccepted = posted.status === 202 && posted.body === '';
    const body = posted.body === '' ? 'no' : 'a';
    see.check('R341', !isAccepted && `the POST was answered with status ${posted.status} and ${body} body`);
    const event = await connection.find(stream, '"asked"');
    const isMissing = event === undefined && 'no answer arrived on the event stream';
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
    connection.ask('GET', { accept: 'text/event-stream', 'acp-connection-id': 'unknown-connection' }),
  ),
  'remote/no-session': status(['R348', 400], (connection) =>
    connection.post(call('x', 'session/prompt', { sessionId: 'any', prompt: [] })),
  ),
  'remote/batch': status(['R349', 400, 501], (connection) => connection.post(`[${call('x', '_x')}]`)),
  'remote/delete': connected(async (connection, { see, settings }) => {
    const stream = await connection.stream();
    const { status: got } = await connection.ask('DELETE', connection.id);
    await stream.find(() => false, settings.timeouts.answer);
    const after = await connection.post(call('x', '_x'));
    const isOver = got === 202 && stream.isOver && after.status === 404;
    const ended = `its stream ${stream.isOver ? 'ended' : 'stayed open'}, and a later message got status ${after.status}`;
    see.check('R350', !isOver && `DELETE was answered with status ${got}, ${ended}`);
  }),
  'remote/second-stream': connected(async (connection, { see }) => {
    const streams = [await connection.stream(), await connection.stream()];
    const open = streams.filter(({ status: got }) => got === 200);
    // Later answers give a duplicate time to arrive.
    for (const each of ['asked', 'behind', 'last']) {
      await connection.post(call(each, '_turnwire/unknown'));
      await Promise.race(open.map((stream) => connection.find(stream, `"${each}"`)));
    }
    const count = streams.flatMap(({ events }) => events).filter((event) => event.includes('"asked"')).length;
    see.check('R351', count !== 1 && `the answer arrived ${count} times on the two streams`);
  }),
  'remote/streams': connected(async (connection, context) => {
    const stream = await connection.stream();
    await connection.post(call('begun', 'session/new', { cwd: context.folder, mcpServers: [] }));
    const begun = await stream.find((event) => event.includes('"begun"'), context.startTimeout);
    const [, sessionId] = /"sessionId":\s*"([^"\\]+)"/.exec(begun ?? '') ?? [];
    if (sessionId === undefined)
      throw new Stopped(`session/new created no session: ${begun?.slice(0, 200) ?? 'it was not answered'}`);
    const session = { 'acp-session-id': sessionId };
    const prompt = [{ type: 'text', text: context.steer('say', { text: 'in order' }) }];
    await connection.post(call('turn', 'session/prompt', { sessionId, prompt }), session);
    // Opened after the prompt: earlier messages of the session must arrive here as well.
    const own = await connection.stream(session);
    await turnOver([own, stream], context, (answer) => connection.post(answer, session));
    const isMisplaced = stream.events.some((event) => isTurnsAnswer(event) || isUpdate(event));
    const end = own.events.findIndex((event) => isTurnsAnswer(event));
    const lost = end === -1 && 'the answer to session/prompt did not arrive on the stream of its session';
    context.see.check('R366', isMisplaced ? 'a message of the session arrived on the stream of the connection' : lost);
    if (!own.events.some(isUpdate)) throw new Stopped('the agent sent no update during the turn');
    context.see.check('R367', disorder(own.events, context));
  }),
  'remote/cut-request': connected(async (connection, { see }) => {
    const stream = await connection.stream();
    await connection.cut('{"jsonrpc":"2.0","id":"cut"');
    const answers = [await connection.answer(stream, 'asked'), await connection.answer(stream, 'behind')];
    see.check('R352', answers.includes(undefined) && 'a request was not answered after another POST had been cut off');
  }),
};

/** How the order of the events of a turn was changed. In version 2 the answer may come at any time, but the state `idle` is the end. */
function disorder(events: readonly string[], { version }: AgentContext): string | false {
  if (version === 1) {
    const end = events.findIndex((event) => isTurnsAnswer(event));
    return !events.slice(0, end).some(isUpdate) && 'every update of the turn arrived after the answer';
  }
  const end = events.findIndex(isIdle);
  return !events.slice(0, end).some(isUpdate) && 'the state `idle` arrived before every other update of the turn';
}

/** Waits for the end of the turn on any of the streams. Requests of the agent are refused until then. */
async function turnOver(
  streams: readonly OpenStream[],
  context: AgentContext,
  send: (answer: string) => Promise<unknown>,
): Promise<void> {
  const refused = new Set<string>();
  const asks = (event: string): boolean => isRequest(asMessage(parsed(event)));
  const isOver = context.version === 1 ? isTurnsAnswer : isIdle;
  const isNew = (event: string): boolean => isOver(event) || (asks(event) && !refused.has(event));
  for (;;) {
    const event = await Promise.race(streams.map((stream) => stream.find(isNew, context.turnTimeout)));
    if (event === undefined || isOver(event)) break;
    refused.add(event);
    const error = { code: -32_601, message: 'This is not offered here' };
    await send(JSON.stringify({ jsonrpc: '2.0', id: at(parsed(event), 'id'), error }));
  }
  // In version 2 the answer may come after the end.
  await Promise.race(streams.map((stream) => stream.find(isTurnsAnswer, context.startTimeout)));
}

function isIdle(event: string): boolean {
  const update = at(parsed(event), 'params', 'update');
  return at(update, 'state') === 'idle' && at(update, 'stopReason') !== undefined;
}

function isTurnsAnswer(event: string): boolean {
  return event.includes('"turn"') && !event.includes('"method"');
}

function isUpdate(event: string): boolean {
  return event.includes('"session/update"');
}
