import { memoryPair } from '@turnwire/transports/memory';
import { type AgentDefinition, type ServedAgent, type Turn } from '../../src/index.ts';
import { serveAgent, type ServeOptions } from '../../src/node/index.ts';
import { numbered } from '../agent-pair.ts';

/** A message as it is on the wire. */
export interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client that writes and reads frames of version 2 itself. */
export class RawV2Client {
  readonly agent: ServedAgent;
  /** Everything the agent sent, in order. */
  readonly frames: Frame[] = [];
  readonly #write: (text: string) => void;
  readonly #waiting = new Set<() => void>();
  #nextId = 0;

  constructor(definition: AgentDefinition<undefined>, options: ServeOptions = {}) {
    const [here, there] = memoryPair();
    this.agent = serveAgent(definition, { transport: there, versions: [1, 2], log: () => undefined, ...options });
    here.start({
      frame: (text) => {
        this.frames.push(JSON.parse(text) as Frame);
        for (const check of this.#waiting) check();
      },
      warning: () => undefined,
      end: () => undefined,
    });
    this.#write = (text) => void here.send(text);
  }

  /** Sends a text as it is. */
  write(text: string): void {
    this.#write(text);
  }

  /** Sends a request and returns its id. */
  call(method: string, params: object = {}): number {
    const id = this.#nextId++;
    this.#send({ id, method, params });
    return id;
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  answer(id: number | undefined, result: object): void {
    this.#send({ id, result });
  }

  #send(frame: object): void {
    this.#write(JSON.stringify({ jsonrpc: '2.0', ...frame }));
  }

  /** The first frame that fits, once it has come. */
  until(fits: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.frames.find(fits);
        if (found === undefined) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Sends a request and returns its result or error. */
  async ask(method: string, params: object = {}): Promise<unknown> {
    const id = this.call(method, params);
    const { result, error } = await this.until((frame) => frame.id === id && frame.method === undefined);
    return result ?? error;
  }

  /** Introduces itself. */
  introduce(capabilities: object = {}): Promise<unknown> {
    return this.ask('initialize', { protocolVersion: 2, info: { name: 'raw', version: '1.0.0' }, capabilities });
  }

  /** Introduces itself and begins a session, whose id it returns. */
  async begin(capabilities: object = {}): Promise<string> {
    await this.introduce(capabilities);
    const { sessionId } = (await this.ask('session/new', { cwd: process.cwd() })) as { readonly sessionId: string };
    return sessionId;
  }

  prompt(sessionId: string, text: string, more: object = {}): number {
    return this.call('session/prompt', { sessionId, prompt: [{ type: 'text', text }], ...more });
  }

  /** The end of the nth turn. */
  idle(nth = 1): Promise<Frame> {
    return this.until((frame) => frame === this.#idles()[nth - 1]);
  }

  /**
   * The updates and requests of the agent, and its answers after the first two, which set up the session: no rule orders answers and updates.
   * Generated ids are numbers.
   */
  seen(): unknown {
    const messages = this.frames.filter(({ method }) => method !== undefined);
    const answers = this.frames.filter(({ id, method }) => method === undefined && (id ?? 0) > 1);
    return numbered({
      messages: messages.map(({ method, params }) =>
        method === 'session/update' ? params?.['update'] : { method, params },
      ),
      answers: answers.map(({ id, result, error }) => ({ id, ...(result ?? error) })),
    });
  }

  #idles(): readonly Frame[] {
    return this.frames.filter(
      ({ params }) => (params?.['update'] as { readonly state?: string } | undefined)?.state === 'idle',
    );
  }
}

/** A client of an agent with this prompt handler or definition. */
export function rawV2(
  mind: Partial<AgentDefinition<undefined>> | ((turn: Turn<undefined>) => ReturnType<AgentDefinition['prompt']>),
  options?: ServeOptions,
): RawV2Client {
  const info = { name: 'test', version: '1.0.0' };
  const defined = typeof mind === 'function' ? { prompt: mind } : mind;
  return new RawV2Client({ info, prompt: () => undefined, ...defined }, options);
}
