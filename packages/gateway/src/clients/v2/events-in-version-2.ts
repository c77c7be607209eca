import type { SessionEvent } from '@turnwire/client/gateway';
import { type ContentBlock, errorCodes, type SessionUpdate as V1Update } from '@turnwire/protocol';
import {
  Foreground,
  MessageIds,
  optionsInVersion2,
  terminalUpdates,
  updateInVersion2,
} from '@turnwire/protocol/translation';
import type { BackgroundWork, SessionUpdate } from '@turnwire/protocol/v2';
import type { SessionFacts } from '@turnwire/runtime';
import { isPromptEcho } from '../prompt-echo.ts';
import { TerminalSnapshots } from './terminal-snapshots.ts';

/** An event of a session, with an id that is unique in its log. */
export interface IdentifiedEvent {
  readonly id: string;
  readonly event: SessionEvent;
}

/**
 * The events of a session as updates of version 2, in their order. Every subscription has its own, because it depends on the events before.
 * A replayed message begins with a whole update, so that a client that has it already does not double it. Notices and states are not
 * replayed.
 */
export class EventsInVersion2 {
  /** The states that the session goes through. */
  readonly foreground: Foreground = new Foreground((update) => {
    if (this.#isLive) this.#send({ ...update, ...(this.#background && { background: this.#background }) });
  });
  readonly #send: (update: SessionUpdate) => void;
  readonly #facts: () => SessionFacts;
  /** Of the running turn: messages of two turns are two messages. */
  #messages = new MessageIds();
  readonly #terminals = new TerminalSnapshots();
  readonly #replayed = new Set<string>();
  #isLive = false;
  /** The last prompt. */
  #prompt: readonly ContentBlock[] = [];
  /** The work in the background that an agent of version 2 has reported. */
  #background: readonly BackgroundWork[] | undefined;

  /** @param facts the current settings of the session */
  constructor({ send, facts }: { readonly send: (update: SessionUpdate) => void; readonly facts: () => SessionFacts }) {
    this.#send = send;
    this.#facts = facts;
  }

  /** The history has ended: the following events happen now. */
  goLive(): void {
    this.#isLive = true;
    this.#replayed.clear();
  }

  /** Sends the updates of the next event. */
  add({ id, event }: IdentifiedEvent): void {
    switch (event.type) {
      case 'prompt':
        this.#prompt = event.content;
        this.#messages = new MessageIds();
        this.#send({ sessionUpdate: 'user_message', messageId: event.turnId, content: event.content });
        if (event.into === undefined) this.foreground.begin();
        return;
      case 'update':
        if (isPromptEcho(this.#prompt, event)) return;
        return this.#update(this.#messages.identified(event.update, () => id));
      case 'terminal':
        return this.#terminals.updatesOf(event.snapshot).forEach((update) => this.#send(update));
      case 'setup':
        return this.#options(event);
      case 'turn-ended':
        return this.foreground.end({ stopReason: event.stopReason });
      case 'turn-failed':
        return this.foreground.end({
          stopReason: 'error',
          error: { code: errorCodes.internalError, message: event.message },
        });
      default:
        return this.#notice(event);
    }
  }

  #update(update: V1Update): void {
    if (update.sessionUpdate === 'current_mode_update') return this.#options(this.#facts());
    const converted = updateInVersion2(update);
    if (converted === undefined) return;
    if (converted.sessionUpdate === 'state_update') return this.#state(converted);
    if (converted.sessionUpdate === 'tool_call_update') {
      const { terminals, call } = terminalUpdates(converted);
      for (const each of call ? [...terminals, call] : terminals) this.#send(each);
      if (typeof call?.status === 'string') this.foreground.toolCallIs(call.toolCallId, call.status);
    } else if (this.#isLive || converted.sessionUpdate !== 'notice') this.#send(this.#begun(converted));
  }

  /** The state that the agent reports: the turns of the log have it already, but not the work in the background. */
  #state(update: SessionUpdate): void {
    const { background } = update as { readonly background?: readonly BackgroundWork[] | null };
    if (!background) return;
    this.#background = background;
    this.foreground.report();
  }

  /** The first chunk of a message in a replay, as a whole message. */
  #begun(update: SessionUpdate): SessionUpdate {
    const kind = /^(user_message|agent_message|agent_thought)_chunk$/.exec(update.sessionUpdate)?.[1];
    if (kind === undefined || this.#isLive) return update;
    const { messageId, content } = update as { readonly messageId: string; readonly content: object };
    if (this.#replayed.has(`${kind} ${messageId}`)) return update;
    this.#replayed.add(`${kind} ${messageId}`);
    return { sessionUpdate: kind, messageId, content: [content] } as SessionUpdate;
  }

  #options({ configOptions, modes }: Pick<SessionFacts, 'configOptions' | 'modes'>): void {
    const options = optionsInVersion2(configOptions, modes);
    if (this.#isLive && options.length > 0)
      this.#send({ sessionUpdate: 'config_option_update', configOptions: options });
  }

  /** Only what users must not miss. */
  #notice(event: SessionEvent): void {
    const notice = this.#isLive && noticeOf(event);
    if (notice) this.#send({ sessionUpdate: 'notice', ...notice });
  }
}

function noticeOf(event: SessionEvent): { readonly severity: 'warning' | 'error'; readonly title: string } | undefined {
  if (event.type === 'boundary' && event.reason === 'context-lost')
    return { severity: 'warning', title: event.message };
  if (event.type === 'ran-unasked') return { severity: 'warning', title: event.explanation };
  if (event.type === 'remark' && event.severity !== 'info') return { severity: event.severity, title: event.title };
  return undefined;
}
