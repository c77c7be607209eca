import { errorCodes, ProtocolError, type StopReason } from '@turnwire/protocol';
import type { SessionLog } from './session-log.ts';

const turnEnds = ['turn-ended', 'turn-failed'];

/** How a turn failed whose host ended in the middle of it. */
export const turnInterrupted = 'The turn was interrupted: its host ended.';

/** The turn that has begun and has not ended. */
export async function openTurn(log: SessionLog): Promise<string | undefined> {
  const last = await log.lastOf(['prompt', ...turnEnds]);
  return last?.type === 'prompt' ? (last.into ?? last.turnId) : undefined;
}

/** The end of an earlier turn with this key, perhaps in another process; undefined if there is none. */
export async function endOfKey(
  log: SessionLog,
  key: string,
): Promise<{ readonly turnId: string; readonly stopReason: StopReason } | undefined> {
  const prompted = await log.findByKey(key);
  if (!prompted) return undefined;
  const { turnId: own, into } = JSON.parse(prompted.payload) as { readonly turnId: string; readonly into?: string };
  const turnId = into ?? own;
  for await (const event of log.events(prompted, turnEnds)) {
    if (!('turnId' in event) || event.turnId !== turnId) continue;
    if (event.type === 'turn-failed') throw new ProtocolError(errorCodes.internalError, event.message);
    if (event.type === 'turn-ended') return { turnId, stopReason: event.stopReason as StopReason };
  }
  return undefined;
}
