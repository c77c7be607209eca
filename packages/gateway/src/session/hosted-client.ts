import type { ClientCapabilities, Peer } from '@turnwire/protocol';
import type { Author } from '../log/session-event.ts';

/** What a client may do: `control` prompts, answers and changes; `observe` only watches. */
type Role = 'control' | 'observe';

/** A client of the gateway, as its sessions see it. */
export interface HostedClient {
  readonly author: Author;
  readonly role: Role;
  readonly capabilities: ClientCapabilities;
  /** It understands `_turnwire/event`, which carries what the protocol has no update for. */
  readonly readsEvents: boolean;
  /** It gets events many at a time, as `_turnwire/events`, its own prompts and every update among them. */
  readonly readsBatches: boolean;
  /** It shows its own prompts when the log has them, as those of others, and not when it sends them. */
  readonly readsOwnPrompts: boolean;
  /** Its user runs the gateway, and may change rules of projects. */
  readonly isOwner: boolean;
  /** It has a user who can be asked for permission. */
  readonly asks: boolean;
  readonly peer: Peer<'agent'>;
  /** Called when it is detached from a session, and nothing more is sent to it. */
  readonly onEnded: (attached: object) => void;
}
