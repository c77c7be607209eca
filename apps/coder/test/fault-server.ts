import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LoopbackServer } from '../../../tools/real-agents/loopback-server.ts';

/** What a server does with one request. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** What was asked. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** A model server with scripted replies, one per request; the last one is repeated. */
export class FaultServer extends LoopbackServer {
  /** The requests, except those for lists of models. */
  readonly asked: Asked[] = [];
  /** The models it lists. Undefined: it does not serve such a list. */
  models: readonly (string | { readonly id: string })[] | undefined;
  /** What it answers at other addresses that are only looked at. */
  readonly answers = new Map<string, unknown>();
  /** What it waits for before it says so. */
  beforeList: (() => Promise<void>) | undefined;
  readonly #replies: Reply[];

  private constructor(replies: readonly Reply[]) {
    super();
    this.#replies = [...replies];
  }

  static start(...replies: readonly Reply[]): Promise<FaultServer> {
    return new FaultServer(replies).listening();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return this.#list(request, response);
    const body = await text(request);
    this.asked.push({
      path: request.url ?? '',
      headers: request.headers,
      body: (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>,
    });
    const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
    reply?.(response, request);
  }

  async #list({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.beforeList?.();
    const list = { data: this.models?.map((model) => (typeof model === 'string' ? { id: model } : model)) };
    const answer = url === '/v1/models' ? this.models && list : this.answers.get(url);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }
}

/** An error as JSON, or as the given text. */
export function refuses(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const isText = typeof body === 'string';
  return (response) => {
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
}

/** Events in order, then the given ending. */
export function streams(events: readonly string[], then: 'end' | 'cut' | 'hang' = 'end'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const last = (): void => {
      if (then === 'end') response.end();
      if (then === 'cut') response.destroy();
    };
    if (events.length === 0) last();
    else response.write(events.join(''), () => last());
  };
}

/** Takes the request and says nothing at all. */
export const saysNothing: Reply = () => undefined;

/** Hangs up before a word is said. */
export const hangsUp: Reply = (response) => void response.destroy();

/** An event of a stream. */
export function event(data: unknown, name?: string): string {
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${body}\n\n`;
}

/** A piece of an answer in the form of Chat Completions. */
export function chat(delta: object, finish: string | null = null): string {
  return event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
}

/** A whole answer in the form of Chat Completions. */
export function chatSays(words: string): readonly string[] {
  return [chat({ role: 'assistant', content: words }), chat({}, 'stop'), event('[DONE]')];
}
