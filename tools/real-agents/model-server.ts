import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LoopbackServer } from './loopback-server.ts';
import { anthropicMessages } from './model/anthropic-messages.ts';
import type { Reply } from './model/conversation.ts';
import type { Answer, Json, ModelFormat } from './model/format.ts';
import { geminiContent } from './model/gemini-content.ts';
import { openaiChat } from './model/openai-chat.ts';
import { openaiResponses } from './model/openai-responses.ts';
import { scriptedReply } from './model/scripted-reply.ts';

/** A request of an agent to the model, for debugging. */
export interface ModelRequest {
  readonly path: string;
  readonly body: Json;
  /** Absent for requests that are not for the model. */
  readonly reply?: Reply;
}

const formats: readonly ModelFormat[] = [anthropicMessages, openaiResponses, openaiChat, geminiContent];

/** The interval of an endless reply, in milliseconds. */
const hangPause = 250;

/**
 * A model on this machine that follows the `script:` line of the prompt: `say TEXT`, `write FILE TEXT`, `read FILE`, `run COMMAND` (with
 * whichever tool the agent declared for that), or `hang`. It supports the formats of Anthropic Messages, OpenAI Responses, OpenAI Chat
 * Completions and Gemini.
 */
export class ModelServer extends LoopbackServer {
  /** All requests, oldest first. */
  readonly requests: ModelRequest[] = [];

  static start(): Promise<ModelServer> {
    return new ModelServer().listening();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#answer(request, response).catch((error: unknown) => fail(response, error));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/';
    const path = url.replace(/\?.*$/, '');
    const body = parsed(await text(request));
    const format = request.method === 'POST' ? formats.find((each) => each.path.test(path)) : undefined;
    if (!format) {
      this.requests.push({ path, body });
      return sendJson(response, sideAnswer(path));
    }
    const reply = scriptedReply(format.read(body));
    this.requests.push({ path, body, reply });
    const answer = {
      model: typeof body['model'] === 'string' ? body['model'] : 'scripted',
      number: this.requests.length,
    };
    if (!format.isStreamed(body, url) && reply.kind !== 'hang') return sendJson(response, format.whole(reply, answer));
    stream(response, { format, reply, answer });
  }
}

interface Streamed {
  readonly format: ModelFormat;
  readonly reply: Reply;
  readonly answer: Answer;
}

function stream(response: ServerResponse, { format, reply, answer }: Streamed): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of format.events(reply, answer)) response.write(event);
  if (reply.kind !== 'hang') return void response.end();
  const more = (): boolean => response.write(format.more('working ', answer));
  more();
  const timer = setInterval(more, hangPause);
  response.on('close', () => clearInterval(timer));
}

/** Answers lists of models, token counts, and other requests that agents make at their start. */
function sideAnswer(path: string): Json {
  if (path.endsWith('/count_tokens')) return { input_tokens: 10 };
  if (path.endsWith(':countTokens')) return { totalTokens: 10 };
  if (!path.endsWith('/models')) return {};
  const model = { id: 'scripted', slug: 'scripted', name: 'models/scripted', object: 'model', type: 'model' };
  return { object: 'list', data: [model], models: [] };
}

function parsed(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, body: Json): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, error: unknown): void {
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: String(error) } }));
}
