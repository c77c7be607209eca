import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a page answers with. */
export type Page = (response: ServerResponse, request: IncomingMessage) => void;

/** A web server with these pages, by path. */
export class PageServer implements AsyncDisposable {
  /** The hosts it was asked for. */
  readonly hosts: (string | undefined)[] = [];
  readonly #server: Server;

  private constructor(pages: Readonly<Record<string, Page>>) {
    this.#server = createServer((request, response) => {
      this.hosts.push(request.headers.host);
      const page = pages[request.url ?? ''];
      if (page) page(response, request);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
    });
  }

  static async start(pages: Readonly<Record<string, Page>>): Promise<PageServer> {
    const server = new PageServer(pages);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A page that is this content. */
export function page(type: string, content: string | Uint8Array, headers: Record<string, string> = {}): Page {
  return (response) =>
    void response.writeHead(200, { ...(type !== '' && { 'content-type': type }), ...headers }).end(content);
}
