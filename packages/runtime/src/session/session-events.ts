import type { SessionEvent } from '@turnwire/client/gateway';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { ContentBlock } from '@turnwire/protocol';
import type { SessionLog } from '../log/session-log.ts';
import { promptKey } from '../log/turn-history.ts';
import { MissedEvents } from './missed-events.ts';
import type { LatestPrompt, PromptQueue } from './prompt-queue.ts';
import type { Questions } from './questions.ts';
import type { StoredRecord } from './stored-record.ts';
import type { Subscriptions } from './subscriptions.ts';

/** The session of the events. */
export interface SessionEventsParts {
  readonly log: SessionLog;
  readonly record: StoredRecord;
  readonly queue: PromptQueue;
  readonly questions: Questions;
  readonly subscriptions: Subscriptions;
  /** Called with every event, before it is stored. */
  readonly onEvent: (event: SessionEvent) => void;
}

/** The events of a session: each gets its author, changes the record, and is logged. */
export class SessionEvents {
  /** The events to deliver to the next subscriber that reads events. */
  readonly missed: MissedEvents = new MissedEvents();
  readonly latest: LatestPrompt = { prompt: undefined };
  readonly #parts: SessionEventsParts;

  constructor(parts: SessionEventsParts) {
    this.#parts = parts;
  }

  /** Logs an event of the agent or of a turn. */
  add(event: TranscriptEvent): void {
    const { queue, questions, record } = this.#parts;
    const accepted = 'turnId' in event ? queue.get(event.turnId) : undefined;
    const by =
      event.type === 'permission-answered'
        ? questions.takeAuthor(event.outcome.toolCallId)
        : accepted?.prompt.subscriber.author;
    this.#updateRecord(event);
    const own = by ? { by } : {};
    if (event.type !== 'prompt' || !accepted) return this.append({ ...event, ...own });
    const { prompt, isRetry } = accepted;
    const { key } = prompt;
    if (event.into === undefined) {
      this.latest.prompt = prompt;
      recordPrompt(prompt.content, record);
    }
    this.append({ ...event, ...(key !== undefined && { key }), ...own }, isRetry ? undefined : key);
  }

  /**
   * Logs an event as it is.
   * @param key of the prompt that the event is: the log has at most one event with it
   */
  append(event: SessionEvent, key?: string): void {
    const { log, subscriptions, queue, onEvent } = this.#parts;
    log.append(event, key === undefined ? undefined : promptKey(key));
    // Later subscribers read updates from the log.
    if (event.type !== 'update' && !subscriptions.areReading)
      this.missed.add(event, (turnId) => queue.get(turnId)?.prompt.isUnattended === true);
    onEvent(event);
  }

  /** Changes the title, which every client sees. */
  rename(title: string): void {
    this.add({ at: Date.now(), type: 'update', update: { sessionUpdate: 'session_info_update', title } });
  }

  /** Logs a warning. */
  warn(title: string): void {
    this.append({ at: Date.now(), type: 'remark', severity: 'warning', title });
  }

  #updateRecord(event: TranscriptEvent): void {
    const { record } = this.#parts;
    if (event.type === 'boundary' && event.reason === 'context-lost') return record.note({ contextLostAt: event.at });
    if (event.type !== 'update') return;
    const { update } = event;
    if (update.sessionUpdate === 'session_info_update' && 'title' in update)
      record.save({ title: update.title ?? null });
    else if (update.sessionUpdate === 'config_option_update') record.note({ configOptions: update.configOptions });
    else if (update.sessionUpdate === 'current_mode_update') {
      const { modes } = record.facts;
      if (modes) record.note({ modes: { ...modes, currentModeId: update.currentModeId } });
    }
  }
}

/** Without another title, the first line of the first prompt is the title. */
function recordPrompt([first]: readonly ContentBlock[], record: StoredRecord): void {
  const { current, facts } = record;
  const line = first?.type === 'text' ? first.text.trim().split('\n', 1)[0]?.slice(0, 80) : undefined;
  record.save({
    updatedAt: Date.now(),
    ...(current.title === null && line && { title: line }),
    ...(facts.isPrompted !== true && { facts: { ...facts, isPrompted: true } }),
  });
}
