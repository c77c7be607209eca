import type { ClientCapabilities } from '@turnwire/protocol';
import type { Subscriber } from '@turnwire/runtime';

/** The subscriber of a remote client. There is one implementation for each version of the protocol. */
export interface ClientSubscriber extends Subscriber {
  /** In the form of version 1. */
  readonly capabilities: ClientCapabilities;
  /** The answer that opens the session follows. Absent: the version needs nothing before it. @param isWorking whether a turn is running */
  readonly opened?: (history: { readonly isReplay: boolean; readonly isWorking: boolean }) => void;
  /**
   * Calls back when the message of a turn has been sent. Absent: the version answers a prompt when its turn has ended.
   * @returns a function that forgets the callback
   */
  readonly onInserted?: (turnId: string, callback: () => void) => () => void;
}
