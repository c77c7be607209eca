import type { ClientCapabilities, SessionUpdate } from '@turnwire/protocol';
import { type Loss, losses, lossOf, plainUpdate } from '@turnwire/protocol/translation';
import type { ReceivedUpdate } from '@turnwire/client/transcript';

/** An update for a client of version 1. */
export interface PlainUpdate {
  readonly update: SessionUpdate;
  /** The update of the agent, if this one lacks parts of it. */
  readonly lost?: object;
}

/** An update that changes nothing, for `_meta`. */
export const noChange: SessionUpdate = { sessionUpdate: 'session_info_update' };

/** Reports to a client of version 1 which parts of the updates of an agent of version 2 it does not get: in words once, and in `_meta` every time. */
export class ToldLosses {
  readonly #capabilities: ClientCapabilities;
  #told: readonly Loss[] = [];
  /** Only agents of version 2 send states, and updates that have another form in version 1. */
  #isVersion2 = false;

  constructor(capabilities: ClientCapabilities) {
    this.#capabilities = capabilities;
  }

  /** The updates to send for one that the client cannot receive as it is. */
  updatesFor(received: ReceivedUpdate): readonly PlainUpdate[] {
    const { update, said } = received;
    this.#isVersion2 ||= said !== undefined || (update.sessionUpdate as string) === 'state_update';
    const plain = plainUpdate(update, this.#capabilities);
    const shown = plain && !isNoChange(plain) ? plain : undefined;
    const loss = this.#isVersion2 ? lossOf(update, plain, said) : undefined;
    const isLost = loss !== undefined || (shown === undefined && isOutput(said));
    const words = this.#wordsFor(loss);
    if (!isLost) return shown ? [...words, { update: shown }] : words;
    return [...words, { update: shown ?? noChange, lost: said ?? update }];
  }

  /** The update of a child session for the client, and the whole update if a part of it is lost. */
  ofChild({ child, ...received }: ReceivedUpdate & { readonly child: string }): Partial<PlainUpdate> {
    const { update, said } = received;
    const isShown = Boolean(this.#capabilities.subagents);
    const plain = isShown ? plainUpdate(update, this.#capabilities) : undefined;
    const isLost = this.#isVersion2 && (!isShown || lossOf(update, plain, said) !== undefined);
    return { ...(plain && { update: plain }), ...(isLost && { lost: { sessionId: child, update: said ?? update } }) };
  }

  #wordsFor(loss: Loss | undefined): readonly PlainUpdate[] {
    const kinds: readonly (Loss | undefined)[] = [this.#losesServices() ? 'services' : undefined, loss];
    return kinds.flatMap((each) => {
      if (each === undefined || this.#told.includes(each)) return [];
      this.#told = [...this.#told, each];
      return [{ update: inWords(losses[each]) }];
    });
  }

  #losesServices(): boolean {
    const { fs, terminal } = this.#capabilities;
    return this.#isVersion2 && (fs?.readTextFile === true || fs?.writeTextFile === true || terminal === true);
  }
}

/** The loss of the terminal is reported at the end of its command. */
function isOutput(said: ReceivedUpdate['said']): boolean {
  return said?.sessionUpdate === 'terminal_output_chunk';
}

function isNoChange(update: SessionUpdate): boolean {
  return update.sessionUpdate === 'session_info_update' && Object.keys(update).length === 1;
}

/** Text from the gateway between texts of the agent. It ends with a blank line, because clients join the chunks of a message. */
export function inWords(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `[turnwire] ${text}\n\n` } };
}
