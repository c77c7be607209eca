import { isAnswerTo, type RawMessage, type Reply } from '../wire/messages.ts';
import type { SimulatedAgent } from './agent/simulated-agent.ts';

export class SimulatedTurn {
  readonly agent: SimulatedAgent;
  readonly sessionId: string;
  /** The id of the `session/prompt` request. */
  readonly id: unknown;
  /** The parameters of the request. */
  readonly params: RawMessage;
  #tried = 0;

  constructor(agent: SimulatedAgent, params: RawMessage, id: unknown) {
    this.agent = agent;
    this.sessionId = String(params['sessionId']);
    this.id = id;
    this.params = params;
  }

  say(text: string): void {
    this.agent.say(this.sessionId, text);
  }

  update(...updates: readonly unknown[]): void {
    for (const update of updates) this.agent.update(this.sessionId, update);
  }

  /** Sends an answer to the prompt with any content. */
  answer(answer: RawMessage): void {
    this.agent.send({ jsonrpc: '2.0', id: this.id, ...answer });
  }

  /** Sends a request to the client in this session. */
  ask(method: string, params: RawMessage): Promise<Reply> {
    return this.agent.ask(method, { sessionId: this.sessionId, ...params });
  }

  /** The same; undefined if the answer does not arrive in time. */
  async tryToAsk(method: string, params: RawMessage, within?: number): Promise<Reply | undefined> {
    const id = `tried-${String(++this.#tried)}`;
    this.agent.send({ jsonrpc: '2.0', id, method, params: { sessionId: this.sessionId, ...params } });
    const entry = await this.agent.next((message) => isAnswerTo(id, message), { within });
    return entry && this.agent.answer(id);
  }
}
