import type { JsonObject } from '../json-rpc/json-object.ts';
import { setAside } from './keys.ts';

/**
 * D49: a turn's answer with its messages. Their form is not defined and they may have been streamed already, so they are moved to `_meta`.
 */
export function answerMessages(result: JsonObject): JsonObject {
  return setAside(result, ['sessionId', 'messages']);
}
