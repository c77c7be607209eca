import type { JsonObject } from '../json-rpc/json-object.ts';
import { setAside } from './keys.ts';

/** D49: a turn's answer with its messages. They have no defined form and may have been streamed already, so they are set aside. */
export function answerMessages(result: JsonObject): JsonObject {
  return setAside(result, ['sessionId', 'messages']);
}
