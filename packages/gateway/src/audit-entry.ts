import type { SessionEvent } from '@turnwire/client/gateway';

/** Something that whoever answers for a gateway may be asked about later. It holds no prompts and no output; what was asked about may be a command. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * A client: `connected`, `disconnected`, or `refused` for a wrong secret. A session: `created`, `deleted`, `moved`; `prompt`, `turn-ended`, `turn-failed`,
   * `cancel-requested`; `permission-asked`, `permission-answered`, and `ran-unasked` for a tool that ran without asking; `boundary`.
   */
  readonly what: string;
  readonly tenant?: string;
  /** The id of the connection, or of the one that caused it. */
  readonly connection?: string;
  /** The id of the token, or the name a client gives itself: anything. */
  readonly client?: string;
  /** The network address it came from. */
  readonly address?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly cwd?: string;
  /** How a turn ended, what was asked about, or what was answered. */
  readonly detail?: string;
}

/** What is noted of an event of a session; undefined for what is only said. */
export function auditOf(
  event: SessionEvent,
): Pick<AuditEntry, 'at' | 'what' | 'connection' | 'client' | 'detail'> | undefined {
  const detail = detailOf(event);
  if (detail === undefined) return undefined;
  return {
    at: event.at,
    what: event.type,
    ...(event.by && { connection: event.by.connection, client: event.by.client }),
    ...(detail !== '' && { detail }),
  };
}

/** Empty for what needs no words. */
function detailOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'prompt':
    case 'cancel-requested':
      return event.turnId;
    case 'turn-ended':
      return `${event.turnId} ${event.stopReason}`;
    case 'turn-failed':
      return `${event.turnId} ${event.message}`;
    case 'permission-asked':
      return event.request.toolCall.title ?? event.request.toolCall.toolCallId;
    case 'permission-answered':
      return `${event.outcome.toolCallId} ${event.outcome.allowed ? 'allowed' : 'refused'}: ${event.outcome.reason}`;
    case 'ran-unasked':
      return event.explanation;
    case 'boundary':
      return event.reason;
    default:
      return undefined;
  }
}
