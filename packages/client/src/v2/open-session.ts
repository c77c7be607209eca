import type { SessionUpdate as V1Update } from '@turnwire/protocol';
import { unreported, updatesInVersion1, type ReportedSession } from '@turnwire/protocol/translation';
import type { SessionUpdate, UpdateSessionNotification } from '@turnwire/protocol/v2';
import type { DeliveredUpdate } from '../session/agent-session.ts';
import { PromptEnds } from './prompt-ends.ts';

/** Receives the updates of version 1. */
export type Deliver = (notification: DeliveredUpdate) => Promise<void> | void;

/** An update of version 1 that changes nothing. */
const noChange: V1Update = { sessionUpdate: 'session_info_update' };

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
    let said: SessionUpdate | null = update;
    for (const each of this.#inVersion1(update)) {
      const isSaid = (each as object) === update;
      const handled = this.#deliver({ sessionId, update: each, _meta, ...(!isSaid && { said }) });
      if (handled) waits.push(handled);
      said = null;
    }
    this.#note(update);
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  }

  /** Includes updates without an effect in version 1: the log keeps them. */
  #inVersion1(update: SessionUpdate): readonly V1Update[] {
    const updates = updatesInVersion1(this.reported, update);
    return updates.length > 0 || update.sessionUpdate === 'replay_complete' ? updates : [noChange];
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
