import type { ServerResponse } from 'node:http';
import type { Line, LineReceiver } from '../../wire/line.ts';
import { asMessage, parsed, type RawMessage } from '../../wire/messages.ts';
import type { Launch, LaunchedConnection } from './launch.ts';

/** The cookie set by the answer to `initialize`, or to an upgrade. */
export const affinityCookie = 'turnwire-check';

/** Methods that are answered on the stream of the connection although they name a session. */
const onConnection: ReadonlySet<unknown> = new Set(['session/load']);

/** A client that reaches its agent over Streamable HTTP, from its `initialize` request on. */
export class HttpLaunch implements Launch {
  readonly line: Line;
  readonly connection: LaunchedConnection;
  readonly #id: string;
  readonly #onEnd: () => void;
  #initialize: ServerResponse | undefined;
  #initializeId: string | undefined;
  #receiver: LineReceiver | undefined;
  readonly #streams = new Map<string, ServerResponse>();
  /** Events for streams that the client has not opened yet. */
  readonly #waiting = new Map<string, string[]>();
  /** The stream for the answer to each request of the client, by request id as JSON. */
  readonly #answers = new Map<string, string>();
  /** Sessions that either side has named in a request or a result. */
  readonly #sessions = new Set<string>();
  #isOver = false;

  constructor(id: string, initialize: ServerResponse, onEnd: () => void) {
    this.#id = id;
    this.#initialize = initialize;
    this.#onEnd = onEnd;
    this.line = {
      start: (receiver) => void (this.#receiver = receiver),
      send: (text) => this.#send(text),
      close: () => Promise.resolve(this.end()),
    };
    this.connection = { profile: 'http', cutIn: (text) => this.#cutIn(text) };
  }

  receive(body: string): void {
    const { id, method, params } = messageOf(body);
    if (method === 'initialize') this.#initializeId = JSON.stringify(id);
    this.#recordSession(params);
    if (method !== undefined && id !== undefined)
      this.#answers.set(JSON.stringify(id), onConnection.has(method) ? '' : sessionIn(params));
    this.#receiver?.text(body);
  }

  open(session: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    this.#streams.set(session, response);
    for (const event of this.#waiting.get(session) ?? []) response.write(event);
    this.#waiting.delete(session);
    response.once('close', () => {
      if (this.#streams.get(session) === response) this.#streams.delete(session);
      // A client that has disconnected has closed all of them.
      if (this.#streams.size === 0) this.end();
    });
  }

  /** Ends the connection, on behalf of either side. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#initialize?.destroy();
    for (const response of this.#streams.values()) response.end();
    this.#receiver?.end();
  }

  #send(text: string): void {
    const { id, method, params, result } = messageOf(text);
    this.#recordSession(result);
    const key = id === undefined ? undefined : JSON.stringify(id);
    if (this.#initialize !== undefined && method === undefined && key === this.#initializeId) {
      const head = {
        'content-type': 'application/json',
        'acp-connection-id': this.#id,
        'set-cookie': `${affinityCookie}=here; Path=/`,
      };
      this.#initialize.writeHead(200, head).end(text);
      this.#initialize = undefined;
      return;
    }
    const stream =
      method === undefined && key !== undefined ? (this.#answers.get(key) ?? '') : this.#streamFor(sessionIn(params));
    const event = `data: ${text.replaceAll(/\r\n?|\n/g, '\ndata: ')}\n\n`;
    const open = this.#streams.get(stream);
    if (open !== undefined) open.write(event);
    else this.#waiting.set(stream, [...(this.#waiting.get(stream) ?? []), event]);
  }

  #recordSession(params: unknown): void {
    const session = sessionIn(params);
    if (session !== '') this.#sessions.add(session);
  }

  /** The stream for a session. A session unknown to the client has no stream, so its messages arrive on that of another. */
  #streamFor(session: string): string {
    const isStray = session !== '' && this.#sessions.size > 0 && !this.#sessions.has(session);
    return isStray ? ([...this.#sessions].at(-1) ?? '') : session;
  }

  #cutIn(text: string): void {
    const { params } = messageOf(text);
    const broken = this.#streams.get(sessionIn(params));
    const cut = (): void => {
      this.#onEnd();
      for (const response of this.#streams.values()) response.destroy();
    };
    if (broken === undefined) cut();
    else broken.write(`data: ${text.slice(0, text.length / 2)}`, cut);
  }
}

function messageOf(text: string): RawMessage {
  return asMessage(parsed(text)) ?? {};
}

function sessionIn(params: unknown): string {
  const sessionId = asMessage(params)?.['sessionId'];
  return typeof sessionId === 'string' ? sessionId : '';
}
