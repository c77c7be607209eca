import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { LoopbackServer } from '../../../../tools/real-agents/loopback-server.ts';

/** A model provider that accepts one key and records its requests. */
export class ProviderServer extends LoopbackServer {
  readonly asked: { readonly path: string | undefined; readonly key: string | undefined }[] = [];
  /** Of the login that was begun at it. */
  challenge = '';
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

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url, headers } = request;
    if (request.method === 'POST') return this.#exchange(await json(request), response);
    const bearer = headers.authorization?.replace('Bearer ', '');
    const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? bearer;
    this.asked.push({ path: url, key: String(key) });
    response.writeHead(key === this.#good ? 200 : this.#wrong);
    response.end(this.#wrong === 400 ? '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}' : '{}');
  }

  /** Exchanges the code "good" for the key, in the login that began it. */
  #exchange(given: unknown, response: ServerResponse): void {
    const { code, code_verifier: verifier, code_challenge_method: method } = given as Record<string, string>;
    const challenge = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    const isGood = code === 'good' && method === 'S256' && challenge === this.challenge;
    response.writeHead(isGood ? 200 : 403);
    response.end(JSON.stringify(isGood ? { key: this.#good } : { error: 'no' }));
  }
}
