import type { SessionNotification } from '@turnwire/protocol';
import type { SessionUpdate, UpdateSessionNotification } from '@turnwire/protocol/v2';
import { PromptEnds } from './prompt-ends.ts';
import { projected, type ReportedSession, unreported } from './session-projection.ts';

/** Receives the updates of version 1. */
export type Deliver = (notification: SessionNotification) => Promise<void> | void;

/** A session of an agent of version 2: its reports, and the ends of its prompts. */
export class OpenSession {
  readonly reported: ReportedSession = unreported();
  readonly ends: PromptEnds = new PromptEnds();
  /** The session that started it. */
  readonly parent: OpenSession | undefined;
  /** Called at the end of the replay. */
  onReplayed: (() => void) | undefined;
  readonly #deliver: Deliver;

  constructor(deliver: Deliver, parent?: OpenSession) {
    this.#deliver = deliver;
    this.parent = parent;
  }

  /** Handles an update. Later ones wait until a returned promise settles. */
  receive({ sessionId, update, _meta }: UpdateSessionNotification): Promise<void> | undefined {
    const waits: Promise<void>[] = [];
    for (const each of projected(this.reported, update)) {
      const handled = this.#deliver({ sessionId, update: each, _meta });
      if (handled) waits.push(handled);
    }
    this.#note(update);
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  }

  #note(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'user_message':
      case 'user_message_chunk':
        return this.ends.echoed(update.messageId);
      case 'state_update':
        return update.state === 'idle' ? this.ends.idle(update) : undefined;
      case 'replay_complete':
        return this.onReplayed?.();
      default:
        return undefined;
    }
  }
}
