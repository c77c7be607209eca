import { tmpdir } from 'node:os';
import { methods } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { Transport } from '@turnwire/protocol';
import { turnwireHandlers } from '../src/clients/turnwire-handlers.ts';

/** All client methods: those of the protocol, those of the gateway, and one of an agent. */
export const clientMethods: readonly string[] = [
  ...new Set([
    ...Object.entries(methods).flatMap(([method, { side }]) => (side === 'client' ? [] : [method])),
    ...Object.keys(turnwireHandlers),
    'session/fork',
    '_agent/own',
  ]),
];

/** A client that sends arbitrary messages. */
export class RawClient {
  readonly #transport: Transport;
  readonly #answers = new Map<number, (answer: object) => void>();
  #id = 0;

  /** @param attach serves the other end */
  constructor(attach: (transport: Transport) => void) {
    const [near, far] = memoryPair();
    attach(far);
    this.#transport = near;
    near.start({
      frame: (text) => {
        const { id, jsonrpc: _, ...answer } = JSON.parse(text) as { readonly id?: number; readonly jsonrpc: string };
        if (id !== undefined) this.#answers.get(id)?.(answer);
        return undefined;
      },
      warning: () => undefined,
      end: () => undefined,
    });
  }

  request(method: string, params: object): Promise<object> {
    const id = ++this.#id;
    const answer = new Promise<object>((resolve) => this.#answers.set(id, resolve));
    void this.#transport.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  }

  notify(method: string, params: object): void {
    void this.#transport.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** The answer to each client method about a session, with the session id replaced. */
export async function answersAbout(client: RawClient, sessionId: string): Promise<readonly unknown[]> {
  const params = {
    sessionId,
    cwd: tmpdir(),
    mcpServers: [],
    prompt: [{ type: 'text', text: 'forged' }],
    modeId: 'x',
    configId: 'x',
    value: 'x',
    methodId: 'x',
    turnId: '1-1',
    title: 'forged',
    text: 'one',
    last: 10,
    _meta: { turnwire: { after: '1.0', wake: true, role: 'observe', keepWaiting: true, agentSessionId: sessionId } },
  };
  const answers = [];
  for (const method of clientMethods) {
    // Methods without a session, and notifications.
    if (['initialize', 'authenticate', 'logout', 'session/new', 'session/list'].includes(method)) continue;
    if (method.endsWith('cancel') || method.startsWith('$/')) {
      client.notify(method, params);
      continue;
    }
    const answer = JSON.stringify(await client.request(method, params));
    answers.push([method, JSON.parse(answer.replaceAll(sessionId, 'ID')) as unknown]);
  }
  return answers;
}
