import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider of models that takes one key, and remembers how it was asked. */
export class ProviderServer implements AsyncDisposable {
  readonly asked: { readonly path: string | undefined; readonly key: string | undefined }[] = [];
  readonly #server: Server;

  private constructor(good: string, wrong: number) {
    this.#server = createServer(({ url, headers }, response) => {
      const bearer = headers.authorization?.replace('Bearer ', '');
      const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? bearer;
      this.asked.push({ path: url, key: String(key) });
      response.writeHead(key === good ? 200 : wrong);
      response.end(wrong === 400 ? '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}' : '{}');
    });
  }

  /** @param wrong the status of an answer to a wrong key */
  static async start(good: string, wrong = 401): Promise<ProviderServer> {
    const provider = new ProviderServer(good, wrong);
    provider.#server.listen(0, '127.0.0.1');
    await once(provider.#server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
