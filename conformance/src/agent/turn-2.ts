import { asMessage, at, errorOf, type JournalEntry, type RawMessage, type ReplyError } from '../wire/messages.ts';
import { RunningTurn } from './running-turn.ts';
import type { TurnTimeout } from '../wire/turn-timeout.ts';

/**
 * A turn of version 2: it ends with the first `idle` after the message of its prompt, or with an error answer. For an agent that does not
 * send that message, the answer counts in its place; another scenario judges it.
 */
export class Turn2 extends RunningTurn {
  protected override send(turns: TurnTimeout, params: RawMessage): void {
    const within = turns.milliseconds;
    this.wire.send({ jsonrpc: '2.0', id: `turnwire-prompt-${this.from}`, method: 'session/prompt', params });
    void this.endWithin(within)
      .catch(() => undefined)
      .then(() => {
        if (this.answered === undefined) turns.note('late');
        // A turn that we cancel has not ended by itself.
        else if (this.stopReason !== 'cancelled') turns.note('ended');
      });
  }

  /** The id of the inserted message, from the answer. */
  get messageId(): unknown {
    return at(this.answer?.message, 'result', 'messageId');
  }

  /** The update that shows the inserted message, once its id is known. */
  get echo(): JournalEntry | undefined {
    const { messageId } = this;
    return this.updates('user_message', 'user_message_chunk').find(
      ({ update, sessionId }) => sessionId === this.sessionId && update['messageId'] === messageId,
    )?.entry;
  }

  override get answered(): JournalEntry | undefined {
    const { answer, echo, entries } = this;
    if (answer === undefined || errorOf(asMessage(answer.message) ?? {}) !== undefined) return answer;
    const inserted = Math.min(
      ...[echo, answer].filter((each) => each !== undefined).map((each) => entries.indexOf(each)),
    );
    return this.states.find(({ entry, update }) => update['state'] === 'idle' && entries.indexOf(entry) > inserted)
      ?.entry;
  }

  /** The end may be known only after a later message: the answer may come after the first `idle`. */
  protected override isEnd(message: RawMessage): boolean {
    const kind = String(at(message, 'params', 'update', 'sessionUpdate'));
    if (message['method'] !== undefined && !/^(?:state_update|user_message(?:_chunk)?)$/.test(kind)) return false;
    const { answered, entries } = this;
    return answered !== undefined && entries.indexOf(answered) <= entries.findIndex((each) => each.message === message);
  }

  /** The states of the session since the prompt. */
  get states(): ReturnType<RunningTurn['updates']> {
    return this.updates('state_update').filter(({ sessionId }) => sessionId === this.sessionId);
  }

  override get stopReason(): unknown {
    return at(this.answered?.message, 'params', 'update', 'stopReason');
  }

  override get error(): ReplyError | undefined {
    const ended = asMessage(this.answered?.message);
    if (ended === undefined) return undefined;
    const refused = errorOf(ended);
    if (refused !== undefined || this.stopReason !== 'error') return refused;
    return (
      errorOf(asMessage(at(ended, 'params', 'update')) ?? {}) ?? { code: -32_603, message: 'the turn ended with error' }
    );
  }
}
