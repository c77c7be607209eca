import type { PromptResponse, SessionNotification, SessionUpdate } from '@turnwire/protocol';
import type { BenchClient } from '../contender.ts';
import { echoPrompt, openSession, readPrompt, type SendUpdate, streamedAnswer } from '../script.ts';
import { updatesOf } from '../updates.ts';

/* The messages of version 2, the same for each contender. */

const info = { name: 'bench', version: '1.0.0' };
const initializeRequest = { protocolVersion: 2, info, capabilities: {} };
const initializeResponse = { protocolVersion: 2, info, capabilities: { session: {} } };

/** Sends updates of one turn, in the way that is fastest for the contender. */
type SendAll = (send: SendUpdate, updates: readonly SessionNotification[], count: number) => Promise<void>;

interface Prompt {
  readonly sessionId: string;
  readonly prompt: readonly { readonly text: string }[];
}

/** Answers the requests of the scripted agent. A prompt for updates is acknowledged, and the turn ends with a state. */
export function answerOf(
  method: string,
  params: unknown,
  { send, sendAll }: { readonly send: SendUpdate; readonly sendAll: SendAll },
): object {
  if (method === 'initialize') return initializeResponse;
  if (method === 'session/new') return { sessionId: openSession(send) };
  const { sessionId, prompt } = params as Prompt;
  const stream = readPrompt(prompt[0]?.text ?? '');
  if (stream !== undefined) setImmediate(() => void runTurn(sessionId, stream, { send, sendAll }));
  return { messageId: 'message' };
}

async function runTurn(
  sessionId: string,
  { kind, count }: NonNullable<ReturnType<typeof readPrompt>>,
  { send, sendAll }: { readonly send: SendUpdate; readonly sendAll: SendAll },
): Promise<void> {
  await sendAll(send, updatesOf(kind, sessionId), count);
  const update = { sessionUpdate: 'state_update', state: 'idle', ...streamedAnswer() };
  await send({ sessionId, update: update as unknown as SessionUpdate });
}

/** The client's end. A round trip is an acknowledged prompt. */
export class V2BenchClient implements BenchClient {
  readonly #onUpdate: (update: SessionUpdate) => void;
  #request: (method: string, params: object) => Promise<unknown> = () => Promise.reject(new Error('not connected'));
  #ended: (answer: PromptResponse) => void = () => undefined;

  constructor(onUpdate: (update: SessionUpdate) => void) {
    this.#onUpdate = onUpdate;
  }

  /** Uses a connection whose handler of updates is {@link received}. */
  over(request: (method: string, params: object) => Promise<unknown>): this {
    this.#request = request;
    return this;
  }

  readonly received = (update: SessionUpdate): void => {
    if ((update.sessionUpdate as string) !== 'state_update') return this.#onUpdate(update);
    const { stopReason, _meta } = update as unknown as PromptResponse;
    this.#ended({ stopReason, _meta });
  };

  initialize(): Promise<unknown> {
    return this.#request('initialize', initializeRequest);
  }

  async newSession(): Promise<string> {
    const { sessionId } = (await this.#request('session/new', { cwd: process.cwd() })) as {
      readonly sessionId: string;
    };
    return sessionId;
  }

  async prompt(sessionId: string, text: string): Promise<PromptResponse> {
    const params = { sessionId, prompt: [{ type: 'text', text }] };
    if (text === echoPrompt) {
      const { messageId } = (await this.#request('session/prompt', params)) as { readonly messageId?: string };
      return { stopReason: messageId === 'message' ? 'end_turn' : 'refusal' };
    }
    const ended = new Promise<PromptResponse>((resolve) => (this.#ended = resolve));
    await this.#request('session/prompt', params);
    return ended;
  }
}
