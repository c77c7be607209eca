import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../../../../tools/real-agents/loopback-server.ts';

/** A provider of models that takes one key, and remembers how it was asked. */
export class ProviderServer extends LoopbackServer {
  readonly asked: { readonly path: string | undefined; readonly key: string | undefined }[] = [];
  readonly #good: string;
  readonly #wrong: number;

  private constructor(good: string, wrong: number) {
    super();
    this.#good = good;
    this.#wrong = wrong;
  }

  /** @param wrong the status of an answer to a wrong key */
  static start(good: string, wrong = 401): Promise<ProviderServer> {
    return new ProviderServer(good, wrong).listening();
  }

  protected async answer({ url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const bearer = headers.authorization?.replace('Bearer ', '');
    const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? bearer;
    this.asked.push({ path: url, key: String(key) });
    response.writeHead(key === this.#good ? 200 : this.#wrong);
    response.end(this.#wrong === 400 ? '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}' : '{}');
  }
}
