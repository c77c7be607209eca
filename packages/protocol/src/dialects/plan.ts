import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { noted, without } from './keys.ts';

/** D34: a plan as a description and a list of steps. A step says neither priority nor status; both are invented. */
export function planSteps(update: JsonObject): JsonObject {
  const { sessionUpdate, plan, entries } = update;
  if ((sessionUpdate !== undefined && sessionUpdate !== 'plan') || entries !== undefined || !isObject(plan))
    return update;
  // The draft `plan_update` has a `plan` too, but with a type and without steps. An empty list may be written as `null`.
  const { type, description, steps } = plan;
  const list = steps === null ? [] : steps;
  if (type !== undefined || !Array.isArray(list) || !list.every(isText)) return update;
  const official = { ...without(update, ['plan']), sessionUpdate: 'plan', entries: list.map(entry) };
  return isText(description) ? noted(official, { description }) : official;
}

function entry(content: string): JsonObject {
  return { content, priority: 'medium', status: 'pending' };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
