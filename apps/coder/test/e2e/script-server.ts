import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropicMessages } from '../../../../tools/real-agents/model/anthropic-messages.ts';
import type { Message, Reply } from '../../../../tools/real-agents/model/conversation.ts';
import type { Json } from '../../../../tools/real-agents/model/format.ts';
import { geminiContent } from '../../../../tools/real-agents/model/gemini-content.ts';
import { openaiChat } from '../../../../tools/real-agents/model/openai-chat.ts';
import { openaiResponses } from '../../../../tools/real-agents/model/openai-responses.ts';

/** The last prompt of the user, and the tool results since then. */
export interface Asked {
  readonly prompt: string;
  readonly results: readonly string[];
}

/** The reply of the model to a request. */
export type Script = (asked: Asked) => Reply;

const formats = [anthropicMessages, openaiResponses, openaiChat, geminiContent];

/** A model that follows a script, behind HTTP, in every provider's streaming format. It is stateless: its answer depends only on the request. */
export class ScriptServer implements AsyncDisposable {
  /** The requests, oldest first. */
  readonly asked: (Asked & { readonly path: string })[] = [];
  readonly #server: Server;
  readonly #script: Script;

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(script: Script): Promise<ScriptServer> {
    const server = new ScriptServer(script);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').replace(/\?.*$/, '');
    const format = request.method === 'POST' ? formats.find((each) => each.path.test(path)) : undefined;
    if (!format) return void response.writeHead(404).end();
    const asked = lastOf(format.read(JSON.parse(await text(request)) as Json).messages);
    this.asked.push({ ...asked, path });
    const reply = this.#script(asked);
    const answer = { model: 'scripted', number: this.asked.length };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(format.events(reply, answer).join(''));
    if (reply.kind === 'hang') response.write(format.more('working ', answer));
    else response.end();
  }
}

function lastOf(messages: readonly Message[]): Asked {
  const at = messages.findLastIndex(({ isUser, toolResult }) => isUser && toolResult === undefined);
  const results = messages.slice(at).flatMap(({ toolResult }) => (toolResult === undefined ? [] : [toolResult]));
  return { prompt: messages[at]?.text ?? '', results };
}

/** The model says something, which ends the turn. */
export function says(words: string): Reply {
  return { kind: 'text', text: words };
}

/** The model calls a tool. */
export function calls(name: string, input: object): Reply {
  return { kind: 'call', tool: { name, schema: {} }, input };
}

/** One reply after each tool result; the last one is repeated. */
export function inTurn(...replies: readonly [Reply, ...Reply[]]): Script {
  return ({ results }) => replies[Math.min(results.length, replies.length - 1)] ?? replies[0];
}
