import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../../../../tools/real-agents/loopback-server.ts';

/** What a page answers with. */
export type Page = (response: ServerResponse, request: IncomingMessage) => void;

/** A web server with these pages, by path. */
export class PageServer extends LoopbackServer {
  /** The hosts it was asked for. */
  readonly hosts: (string | undefined)[] = [];
  readonly #pages: Readonly<Record<string, Page>>;

  private constructor(pages: Readonly<Record<string, Page>>) {
    super();
    this.#pages = pages;
  }

  static start(pages: Readonly<Record<string, Page>>): Promise<PageServer> {
    return new PageServer(pages).listening();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.hosts.push(request.headers.host);
    const found = this.#pages[request.url ?? ''];
    if (found) found(response, request);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
  }
}

/** A page that is this content. */
export function page(type: string, content: string | Uint8Array, headers: Record<string, string> = {}): Page {
  return (response) =>
    void response.writeHead(200, { ...(type !== '' && { 'content-type': type }), ...headers }).end(content);
}
