import type { HandlerParts } from '../connection/peer-handlers.ts';
import { report } from '../json-rpc/report.ts';
import type { UpdateNotification } from '../connection/session-updates.ts';

/** Kinds of updates that are reported at most. */
const mostReports = 100;

/**
 * Passes updates to the sessions that read them. Drops those of a kind that the version does not have, and reports each kind once: the
 * types of handlers exclude it.
 * @param hasFallback handlers for all notifications receive unknown kinds too
 */
export function admitUpdates(
  known: ReadonlySet<string> | undefined,
  hasFallback: () => boolean,
): NonNullable<HandlerParts['admitNotification']> {
  const reported = new Set<string>();
  return (connection, method, params) => {
    if (method !== 'session/update') return true;
    const notification = params as UpdateNotification;
    const kind = (notification.update as { readonly sessionUpdate: string }).sessionUpdate;
    const isKnown = known === undefined || known.has(kind) || hasFallback();
    if (isKnown) connection.updates.deliver(notification);
    else if (reported.size < mostReports && !reported.has(kind)) {
      reported.add(kind);
      report('ACP: updates of an unknown kind are dropped', { kind });
    }
    return isKnown;
  };
}
