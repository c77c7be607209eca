import type { ClientCapabilities } from '@turnwire/protocol';
import type { LoggedEvent, Subscriber } from '@turnwire/runtime';

/** A prompt by its turn, or by its key. */
export type PromptIdentity = { readonly turnId: string } | { readonly key: string };

/** The subscriber of a remote client. There is one implementation for each version of the protocol. */
export interface ClientSubscriber extends Subscriber {
  /** In the form of version 1. */
  readonly capabilities: ClientCapabilities;
  /** The answer that opens the session follows. Absent: the version needs nothing before it. @param isWorking whether a turn is running */
  readonly opened?: (history: { readonly isReplay: boolean; readonly isWorking: boolean }) => void;
  /**
   * Reads the events of the turn in which the client continues. It has them, and they are not sent. Absent: later updates do not depend on
   * them.
   */
  readonly recall?: (events: readonly LoggedEvent[]) => void;
  /**
   * Calls back when the message of a prompt has been sent. Absent: the version answers a prompt when its turn has ended.
   * @param which the prompt: by its turn, or by its key
   * @returns a function that forgets the callback
   */
  readonly onInserted?: (which: PromptIdentity, callback: (messageId: string) => void) => () => void;
}
