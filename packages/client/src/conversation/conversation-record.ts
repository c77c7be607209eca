import type { SessionUpdate } from '@turnwire/protocol';
import type { Session } from '../session/session.ts';
import { emptyTranscript, reduce, type TranscriptEvent, type TranscriptView } from '../transcript/index.ts';
import type { ConversationOptions } from './conversation-options.ts';

/** An event without its time. */
type UntimedEvent = TranscriptEvent extends infer Event
  ? Event extends TranscriptEvent
    ? Omit<Event, 'at'>
    : never
  : never;

/** What happens in a conversation: told to who wants the events, and kept as its transcript if that is wanted. */
export class ConversationRecord {
  readonly #options: Pick<ConversationOptions, 'keepsTranscript' | 'onEvent'>;
  readonly #changed: () => void;
  #transcript: TranscriptView;

  /** @param changed is called when the transcript has changed */
  constructor(options: Pick<ConversationOptions, 'transcript' | 'keepsTranscript' | 'onEvent'>, changed: () => void) {
    this.#options = options;
    this.#changed = changed;
    this.#transcript = options.transcript ?? emptyTranscript();
  }

  get transcript(): TranscriptView {
    return this.#transcript;
  }

  add(untimed: UntimedEvent): void {
    this.#add({ at: Date.now(), ...untimed });
  }

  /** An update is made as one object: there may be thousands in a second. */
  addUpdate(update: SessionUpdate, isReplay: boolean): void {
    const event = { at: Date.now(), type: 'update', update } as const;
    this.#add(isReplay ? { ...event, isReplay } : event);
  }

  /** The current modes and options: not every agent sends an update about them. */
  addSetup({ modes, configOptions }: Partial<Pick<Session, 'modes' | 'configOptions'>>): void {
    this.add({
      type: 'setup',
      ...(modes && { modes: { currentModeId: modes.current, availableModes: [...modes.available] } }),
      ...(configOptions && { configOptions: configOptions.list }),
    });
  }

  #add(event: TranscriptEvent): void {
    const { keepsTranscript = true, onEvent } = this.#options;
    if (keepsTranscript) this.#transcript = reduce(this.#transcript, event);
    onEvent?.(event);
    if (keepsTranscript) this.#changed();
  }
}
