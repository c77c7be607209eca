import type { SessionEvent } from '@turnwire/client/gateway';

/** An entry of the audit log of a gateway. It holds no prompts and no output; the title of a permission request may be a command. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * A client: `connected`, `disconnected`, or `refused` for a wrong secret. A session: `created`, `deleted`, `moved`; `prompt`, `turn-ended`, `turn-failed`,
   * `cancel-requested`; `permission-asked`, `permission-answered`, and `ran-unasked` for a tool that ran without asking; `boundary`.
   */
  readonly what: string;
  readonly tenant?: string;
  /** The id of the connection that caused it, or that it is about. */
  readonly connection?: string;
  /** The id of the token, or the name that the client gives itself, which is not verified. */
  readonly client?: string;
  /** The network address of the client. */
  readonly address?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly cwd?: string;
  /** The stop reason of a turn, the title of a permission request, or the answer. */
  readonly detail?: string;
}

/** The audit entry of a session event; undefined for events that are not audited. */
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

/** The detail of an event that is audited, which may be empty; undefined for other events. */
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
