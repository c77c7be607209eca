import type { DialectContext } from './dialect.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { renamed, without } from './keys.ts';

/** D36, the request: a question with a title and a description, about no tool call. */
export function bareQuestion(request: JsonObject, { freshId }: DialectContext): JsonObject {
  const { toolCall, title, description } = request;
  if (toolCall !== undefined || typeof title !== 'string') return request;
  const invented = { toolCallId: freshId('turnwire-permission-'), title };
  const content = [{ type: 'content', content: { type: 'text', text: description } }];
  return {
    ...without(request, ['title', 'description']),
    toolCall: typeof description === 'string' ? { ...invented, content } : invented,
  };
}

/** D36, an option: `label` for `name`. */
export function optionLabel(option: JsonObject): JsonObject {
  return renamed(option, 'label', 'name');
}

/** True if the answer is an official one. */
export function isPermissionAnswer(answer: unknown): answer is JsonObject {
  const outcome = isObject(answer) ? answer['outcome'] : undefined;
  if (!isObject(outcome)) return false;
  return (
    outcome['outcome'] === 'cancelled' || (outcome['outcome'] === 'selected' && typeof outcome['optionId'] === 'string')
  );
}

/** D37, D38: the answer to a permission request. Only a clear choice of an offered option is a permission. */
export function permissionAnswer(answer: unknown, { request }: DialectContext): JsonObject {
  if (isPermissionAnswer(answer)) return answer;
  const said = isObject(answer) ? answer : {};
  const optionId = chosenOption(said, offeredOptions(request));
  const outcome = optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
  return { ...without(said, ['outcome', 'optionId', 'selectedOptionId']), outcome };
}

function offeredOptions(request: unknown): readonly JsonObject[] {
  const options = isObject(request) ? request['options'] : undefined;
  return Array.isArray(options) ? options.filter(isObject) : [];
}

function chosenOption(said: JsonObject, offered: readonly JsonObject[]): string | undefined {
  const { outcome, optionId, selectedOptionId } = said;
  if (outcome === undefined) return onlyId(offered, (option) => option['optionId'] === selectedOptionId);
  if (outcome === 'selected') return onlyId(offered, (option) => option['optionId'] === optionId);
  if (typeof outcome !== 'string' || outcome === 'cancelled') return undefined;
  return onlyId(offered, (option) => option['optionId'] === outcome || option['kind'] === outcome);
}

/** The id of the option that fits, if it is the only one. */
function onlyId(offered: readonly JsonObject[], fits: (option: JsonObject) => boolean): string | undefined {
  const [option, ...others] = offered.filter(fits);
  const id = option?.['optionId'];
  return typeof id === 'string' && others.length === 0 ? id : undefined;
}
