import type { DialectContext } from './dialect.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { renamed } from './keys.ts';

/** D20: `option` for `configId`, and a boolean that does not say it is one. */
export function configChoice(params: JsonObject): JsonObject {
  const named = renamed(params, 'option', 'configId');
  return typeof named['value'] === 'boolean' && named['type'] === undefined ? { ...named, type: 'boolean' } : named;
}

/** D21: nothing for an answer. The known options are assumed to hold, with the one value changed. */
export function unansweredChoice(result: JsonObject, { request, lookup }: DialectContext): JsonObject {
  if (result['configOptions'] !== undefined || !isObject(request)) return result;
  const { sessionId, configId, value } = request;
  const known = typeof sessionId === 'string' ? lookup?.configOptions?.(sessionId) : undefined;
  if (known === undefined) return result;
  const chosen = (option: unknown): unknown =>
    isObject(option) && option['id'] === configId ? { ...option, currentValue: value } : option;
  return { ...result, configOptions: known.map(chosen) };
}
