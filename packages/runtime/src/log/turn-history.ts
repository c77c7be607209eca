import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '@turnwire/client/gateway';
import { type ContentBlock, errorCodes, invalidParams, ProtocolError, type StopReason } from '@turnwire/protocol';
import type { Cursor } from '../store/session-store.ts';
import type { SessionLog } from './session-log.ts';

const turnEnds = ['turn-ended', 'turn-failed'];

/** The failure of a turn whose host process ended. */
export const turnInterrupted = 'The turn was interrupted: its host ended.';

/** Finds the turn that has begun and has not ended. */
export async function openTurn(log: SessionLog): Promise<string | undefined> {
  const last = await log.lastOf(['prompt', ...turnEnds]);
  return last?.type === 'prompt' ? (last.into ?? last.turnId) : undefined;
}

/** The key of a prompt's event in the log. */
export function promptKey(key: string): string {
  return `prompt:${key}`;
}

/** A prompt that is part of the conversation. */
export interface KeyedPrompt extends Cursor {
  readonly turnId: string;
  /** The running turn that took it in. */
  readonly into?: string;
}

/**
 * Finds the stored prompt with a key, perhaps of another process.
 * @throws ProtocolError -32602 if it has another content
 */
export async function promptOfKey(
  log: SessionLog,
  key: string,
  content: readonly ContentBlock[],
): Promise<KeyedPrompt | undefined> {
  const prompted = await log.findByKey(promptKey(key));
  if (!prompted) return undefined;
  const { epoch, sequence, payload } = prompted;
  const { turnId, into, ...event } = JSON.parse(payload) as Extract<SessionEvent, { readonly type: 'prompt' }>;
  refuseOther(event.content, content);
  return { turnId, epoch, sequence, ...(into !== undefined && { into }) };
}

/** @throws ProtocolError -32602 if two prompts with the same key have different contents */
export function refuseOther(content: readonly ContentBlock[], other: readonly ContentBlock[]): void {
  if (isDeepStrictEqual(content, other)) return;
  throw invalidParams('another prompt of this session has the same key: a new prompt needs a new key');
}

/**
 * Finds the end of the turn that took an earlier prompt; of the last one, if the prompt was sent again after a failure. Resolves with undefined if
 * it has not ended.
 */
export async function endOfPrompt(
  log: SessionLog,
  key: string,
  { turnId: own, into, ...cursor }: KeyedPrompt,
): Promise<{ readonly turnId: string; readonly stopReason: StopReason } | undefined> {
  let turnId = into ?? own;
  let failure: ProtocolError | undefined;
  for await (const event of log.events(cursor, ['prompt', ...turnEnds])) {
    if (!('turnId' in event)) continue;
    if (event.type === 'prompt' && event.key === key) {
      turnId = event.into ?? event.turnId;
      failure = undefined;
    }
    if (event.turnId !== turnId) continue;
    if (event.type === 'turn-failed') failure = failureOf(event);
    if (event.type === 'turn-ended') return { turnId, stopReason: event.stopReason as StopReason };
  }
  if (failure) throw failure;
  return undefined;
}

function failureOf({ error, message: reason }: SessionEvent & { readonly type: 'turn-failed' }): ProtocolError {
  const { code, message, data } = error ?? { code: errorCodes.internalError, message: reason };
  return new ProtocolError(code, message, data);
}
