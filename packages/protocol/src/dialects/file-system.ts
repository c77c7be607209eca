import type { JsonObject } from '../json-rpc/json-object.ts';
import { renamed } from './keys.ts';

/** D39: part of a file by `startLine` and `lineLimit`. */
export function lineRange(params: JsonObject): JsonObject {
  return renamed(renamed(params, 'startLine', 'line'), 'lineLimit', 'limit');
}
