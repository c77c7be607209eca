import type { SessionEvent } from '@turnwire/client/gateway';
import { type ContentBlock, errorCodes, turnwireMeta } from '@turnwire/protocol';
import {
  Foreground,
  type ForegroundEnd,
  type StateUpdate,
  MessageIds,
  optionsInVersion2,
  updatesInVersion2,
} from '@turnwire/protocol/translation';
import type { BackgroundWork, SessionUpdate } from '@turnwire/protocol/v2';
import type { SessionFacts } from '@turnwire/runtime';
import { overBudget } from '../over-budget.ts';
import { isPromptEcho } from '../prompt-echo.ts';
import { settingsIn } from '../shown-event.ts';
import { ShownSettings } from '../shown-settings.ts';
import { TerminalSnapshots } from './terminal-snapshots.ts';

/** An event of a session, with an id that is unique in its log. */
export interface IdentifiedEvent {
  readonly id: string;
  readonly event: SessionEvent;
}

/** Sends an update of a session, or of a child of it. */
type Send = (update: SessionUpdate, child?: string) => void;

/**
 * The events of a session as updates of version 2, in their order. Every subscription has its own, because it depends on the events before.
 * A replayed message begins with a whole update, so that a client that has it already does not double it. Notices and states are not
 * replayed.
 */
export class EventsInVersion2 {
  /** The states that the session goes through. */
  readonly foreground: Foreground = new Foreground((update) => {
    if (this.#isLive) this.#send({ ...(this.#background && { background: this.#background }), ...update });
  });
  readonly #send: Send;
  readonly #children = new Map<string, EventsInVersion2>();
  readonly #facts: () => SessionFacts;
  readonly #messages = new MessageIds();
  readonly #terminals = new TerminalSnapshots();
  readonly #replayed = new Set<string>();
  /** In the form of version 1, which the log has. */
  readonly #settings = new ShownSettings();
  #isLive = false;
  /** The last prompt. */
  #prompt: readonly ContentBlock[] = [];
  /** The work in the background that an agent of version 2 has reported. */
  #background: readonly BackgroundWork[] | undefined;

  /** @param facts the current settings of the session */
  constructor({ send, facts }: { readonly send: Send; readonly facts: () => SessionFacts }) {
    this.#send = send;
    this.#facts = facts;
  }

  /** The history has ended: the following events happen now. */
  goLive(): void {
    if (this.#isLive) return;
    this.#isLive = true;
    this.#replayed.clear();
    for (const child of this.#children.values()) child.goLive();
  }

  /** Ends the replay of the session, and of each child session. */
  endReplay(): void {
    for (const child of this.#children.values()) child.endReplay();
    this.#send({ sessionUpdate: 'replay_complete' });
  }

  /** Sends the updates of the next event. */
  add({ id, event }: IdentifiedEvent): void {
    switch (event.type) {
      case 'prompt':
        return this.#begin(event);
      case 'update':
        return this.#receive(event, id);
      case 'child-update':
        return this.#childOf(event.child).add({ id, event: { ...event, type: 'update' } });
      case 'terminal':
        return this.#terminals.updatesOf(event.snapshot).forEach((update) => this.#send(update));
      case 'setup':
        return this.#setUp(event);
      case 'turn-ended':
      case 'turn-failed':
        return this.foreground.end(endOf(event));
      default:
        return this.#notice(event);
    }
  }

  #begin({ turnId, content, into }: SessionEvent & { readonly type: 'prompt' }): void {
    this.#prompt = content;
    this.#messages.end();
    this.#send({ sessionUpdate: 'user_message', messageId: turnId, content });
    if (into === undefined) this.foreground.begin();
  }

  #receive(event: SessionEvent & { readonly type: 'update' }, id: string): void {
    const isNews = this.#settings.isNews(event.update);
    if (!event.isReplay && isUserMessage(event.said ?? event.update)) this.foreground.inserted();
    if (event.said === null || isPromptEcho(this.#prompt, event)) return;
    if (event.said !== undefined) return this.#pass(event.said);
    if (!isNews) return;
    if (event.update.sessionUpdate === 'current_mode_update') this.#options(this.#facts());
    else for (const update of updatesInVersion2(this.#messages, event.update, () => id)) this.#pass(update);
  }

  /** An update of an agent of version 2, or one that both versions have, as it is. */
  #pass(update: SessionUpdate): void {
    if (update.sessionUpdate === 'state_update') return this.#state(update);
    if (this.#isLive || update.sessionUpdate !== 'notice') this.#send(this.#begun(update));
    if (update.sessionUpdate === 'tool_call_update' && typeof update.status === 'string')
      this.foreground.toolCallIs(update.toolCallId, update.status);
  }

  #state(update: StateUpdate): void {
    const { background } = update as { readonly background?: readonly BackgroundWork[] | null };
    if (background) this.#background = background;
    this.foreground.reported(update);
  }

  #childOf(id: string): EventsInVersion2 {
    const known = this.#children.get(id);
    if (known) return known;
    const child = new EventsInVersion2({ send: (update) => this.#send(update, id), facts: () => ({}) });
    if (this.#isLive) child.goLive();
    this.#children.set(id, child);
    return child;
  }

  /** The first chunk of a message in a replay, as a whole message. */
  #begun(update: SessionUpdate): SessionUpdate {
    if (this.#isLive) return update;
    const [, kind, chunk] = /^(user_message|agent_message|agent_thought)(_chunk)?$/.exec(update.sessionUpdate) ?? [];
    if (kind === undefined) return update;
    const { messageId, content } = update as { readonly messageId: string; readonly content: object };
    if (chunk === undefined) this.#replayed.add(`${kind} ${messageId}`);
    if (this.#replayed.has(`${kind} ${messageId}`)) return update;
    this.#replayed.add(`${kind} ${messageId}`);
    return { sessionUpdate: kind, messageId, content: [content] } as SessionUpdate;
  }

  /** The settings that an agent may have reported itself. */
  #setUp(event: SessionEvent & { readonly type: 'setup' }): void {
    const news = settingsIn(event).filter((update) => this.#settings.isNews(update));
    if (news.length > 0) this.#options(event);
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

function isUserMessage({ sessionUpdate }: { readonly sessionUpdate: string }): boolean {
  return sessionUpdate === 'user_message' || sessionUpdate === 'user_message_chunk';
}

function endOf(event: SessionEvent & { readonly type: 'turn-ended' | 'turn-failed' }): ForegroundEnd {
  if (event.type === 'turn-failed')
    return { stopReason: 'error', error: event.error ?? { code: errorCodes.internalError, message: event.message } };
  const { stopReason, usage, meta } = event;
  const { stopped } = turnwireMeta<'session/prompt answer'>(meta);
  const reason = stopped?.reason === 'budget' ? overBudget(stopReason) : stopReason;
  return { stopReason: reason, ...(usage && { usage }), ...(meta && { _meta: meta }) };
}

function noticeOf(event: SessionEvent): { readonly severity: 'warning' | 'error'; readonly title: string } | undefined {
  if (event.type === 'boundary' && event.reason === 'context-lost')
    return { severity: 'warning', title: event.message };
  if (event.type === 'ran-unasked') return { severity: 'warning', title: event.explanation };
  if (event.type === 'remark' && event.severity !== 'info') return { severity: event.severity, title: event.title };
  return undefined;
}
