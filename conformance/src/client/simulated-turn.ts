import { isAnswerTo, type RawMessage, type Reply } from '../wire/messages.ts';
import { WireError } from '../wire/wire.ts';
import type { SimulatedAgent } from './agent/simulated-agent.ts';

/**
 * The behaviour of the agent in a turn. It resolves with the result of the turn, by default `end_turn`; with `null` the prompt stays
 * unanswered, and in version 2 the session does not become idle.
 */
export type TurnScript = (turn: SimulatedTurn) => Promise<RawMessage | null | void> | RawMessage | null | void;

const yesOrNo = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

export class SimulatedTurn {
  readonly agent: SimulatedAgent;
  readonly sessionId: string;
  /** The id of the `session/prompt` request. */
  readonly id: unknown;
  /** The parameters of the request. */
  readonly params: RawMessage;
  /** In version 2 the id of the message that the prompt becomes. */
  readonly messageId: string;
  #tried = 0;
  #isAnswered = false;

  constructor(agent: SimulatedAgent, params: RawMessage, id: unknown) {
    this.agent = agent;
    this.sessionId = String(params['sessionId']);
    this.id = id;
    this.params = params;
    this.messageId = `prompt-${String(agent.calls('session/prompt').length)}`;
  }

  /** Runs a script in this turn, and finishes it. */
  async play(script: TurnScript): Promise<void> {
    try {
      const end = await script(this);
      if (end === null) return;
      this.finish(end ?? { stopReason: 'end_turn' });
    } catch (error) {
      if (!(error instanceof WireError) || !this.#isAnswered || this.agent.version === 1) throw error;
      const { code, message, data } = error;
      this.state('idle', { stopReason: 'error', error: { code, message, ...(data !== undefined && { data }) } });
    }
  }

  /** Ends the turn: with the answer to the prompt, or in version 2 with the state. */
  finish(result: RawMessage): void {
    if (this.agent.version === 1) this.answer({ result });
    else this.state('idle', result);
  }

  /** Version 2: the prompt becomes a message of the conversation, and the work on it begins. */
  begin(): void {
    this.echo();
    this.accept();
    this.state('running');
  }

  echo(): void {
    this.update({ sessionUpdate: 'user_message', messageId: this.messageId, content: this.params['prompt'] });
  }

  accept(): void {
    this.answer({ result: { messageId: this.messageId } });
  }

  state(state: string, more: RawMessage = {}): void {
    this.update({ sessionUpdate: 'state_update', state, ...more });
  }

  say(text: string): void {
    this.agent.say(this.sessionId, text);
  }

  update(...updates: readonly unknown[]): void {
    for (const update of updates) this.agent.update(this.sessionId, update);
  }

  /** Reports a tool call. In version 1 this begins it. */
  toolCall(call: RawMessage): void {
    this.update({ sessionUpdate: this.agent.version === 1 ? 'tool_call' : 'tool_call_update', ...call });
  }

  /** The parameters of a permission request about a tool call. */
  permission(toolCall: RawMessage, options: readonly unknown[] = yesOrNo): RawMessage {
    const { sessionId } = this;
    if (this.agent.version === 1) return { sessionId, toolCall, options };
    const title = 'May I do this?';
    return { sessionId, title, subject: { type: 'tool_call', toolCall }, options };
  }

  /** Sends an answer to the prompt with any content. */
  answer(answer: RawMessage): void {
    this.#isAnswered = true;
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
