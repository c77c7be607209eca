import { errorCodes, ProtocolError, type StopReason } from '@turnwire/protocol';
import type { SessionLog } from './session-log.ts';

const turnEnds = ['turn-ended', 'turn-failed'];

/** The failure of a turn whose host process ended. */
export const turnInterrupted = 'The turn was interrupted: its host ended.';

/** Finds the turn that has begun and has not ended. */
export async function openTurn(log: SessionLog): Promise<string | undefined> {
  const last = await log.lastOf(['prompt', ...turnEnds]);
  return last?.type === 'prompt' ? (last.into ?? last.turnId) : undefined;
}

/** Finds the end of an earlier turn with this key, perhaps of another process. Resolves with undefined if there is no such turn. */
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
    if (event.type === 'turn-failed') {
      const { code, message, data } = event.error ?? { code: errorCodes.internalError, message: event.message };
      throw new ProtocolError(code, message, data);
    }
    if (event.type === 'turn-ended') return { turnId, stopReason: event.stopReason as StopReason };
  }
  return undefined;
}
