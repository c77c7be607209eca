import { isAnswerTo, type RawMessage, type Reply } from '../wire/messages.ts';
import type { PlayedAgent } from './agent/played-agent.ts';

export class PlayedTurn {
  readonly agent: PlayedAgent;
  readonly sessionId: string;
  /** The id of `session/prompt`, and what it came with. */
  readonly id: unknown;
  readonly params: RawMessage;
  #tried = 0;

  constructor(agent: PlayedAgent, params: RawMessage, id: unknown) {
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

  /** Sends an answer to the prompt, whatever is in it. */
  answer(answer: RawMessage): void {
    this.agent.send({ jsonrpc: '2.0', id: this.id, ...answer });
  }

  /** Asks the client for something in this session. */
  ask(method: string, params: RawMessage): Promise<Reply> {
    return this.agent.ask(method, { sessionId: this.sessionId, ...params });
  }

  /** The same; undefined if no answer comes in time. */
  async tryToAsk(method: string, params: RawMessage, within?: number): Promise<Reply | undefined> {
    const id = `tried-${String(++this.#tried)}`;
    this.agent.send({ jsonrpc: '2.0', id, method, params: { sessionId: this.sessionId, ...params } });
    const entry = await this.agent.next((message) => isAnswerTo(id, message), { within });
    return entry && this.agent.answer(id);
  }
}
